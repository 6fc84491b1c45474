import type { Rendered, TemplateEngine, TemplateInput } from './template';

/** Renders a prompt file. Everything that is wrong with it is in `problems`; nothing is thrown. */
export function renderTemplate(engine: TemplateEngine, input: TemplateInput): Rendered {
  if (engine === 'jinja') return (require('./jinja') as typeof import('./jinja')).renderJinja(input);
  if (engine === 'eta') return (require('./eta') as typeof import('./eta')).renderEta(input);
  return (require('./string') as typeof import('./string')).renderString(input);
}
