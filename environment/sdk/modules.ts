/** Modules that are loaded once per worker and shared with every sandbox: the SDK and what its objects are recognised by. */
export const sharedModules = [
  '@google/adk',
  '@google/adk/a2a',
  '@google/adk/artifacts/gcs',
  '@google/adk/sessions/database',
  '@google/adk/telemetry/gcp',
  '@google/adk/tools/mcp',
  '@google/genai',
  'zod',
  'zod/v3',
  'zod/v4',
  'zod/v4/core',
  'zod/mini',
  'zod/v4-mini',
] as const;

/** Name of the package of a module: `@google/adk/a2a` belongs to `@google/adk`. */
export function packageOf(specifier: string): string {
  return specifier.split('/').slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
}
