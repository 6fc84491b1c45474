import { createHash } from 'node:crypto';
import type { ConversationScenario } from './types';

type Plain = string | null | readonly Plain[] | { readonly [key: string]: Plain };

const shortEscapes: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t', '\f': '\\f', '\b': '\\b' };

/** JSON text as Python's `json.dumps(value, sort_keys=True)` writes it: `", "` and `": "`, everything but printable ASCII escaped. */
function sortedPythonJson(value: Plain): string {
  if (value === null) return 'null';
  if (typeof value === 'string') {
    return `"${value.replace(/["\\]|[^ -~]/g, (unit) => shortEscapes[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`;
  }
  if (Array.isArray(value)) return `[${value.map(sortedPythonJson).join(', ')}]`;
  const entries = Object.entries(value as { readonly [key: string]: Plain }).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${sortedPythonJson(key)}: ${sortedPythonJson(item)}`).join(', ')}}`;
}

/** The text that google-adk hashes for a scenario's case id: snake_case, persona included even when there is none. */
export function scenarioHashText(scenario: ConversationScenario): string {
  const persona = scenario.userPersona;
  return sortedPythonJson({
    starting_prompt: scenario.startingPrompt,
    conversation_plan: scenario.conversationPlan,
    user_persona: persona === undefined ? null : {
      id: persona.id,
      description: persona.description,
      behaviors: persona.behaviors.map((behavior) => ({
        name: behavior.name,
        description: behavior.description,
        behavior_instructions: behavior.behaviorInstructions,
        violation_rubrics: behavior.violationRubrics,
      })),
    },
  });
}

/** The id a scenario gets when it is added to a set by command line: the first 8 hex digits of its SHA-256. */
export function scenarioCaseId(scenario: ConversationScenario): string {
  return createHash('sha256').update(scenarioHashText(scenario)).digest('hex').slice(0, 8);
}
