/** What a judge is shown of a turn. Source of the choices: google-adk 2.13; where the profiles part, the default reads what the reference overlooks. */
import { isInvocationEvents, type AgentDetails, type Content, type FunctionResponse, type Invocation, type InvocationEvent, type JsonObject, type Part } from '../../evalset/types';
import type { Profile } from '../../support/profile';
import { isActual } from '../text';
import { stringifyJson } from '../../support/json';

type Reading = Pick<Profile, 'name' | 'thoughtsAreText'>;

/** Text of a message: undefined without content or parts; otherwise its non-empty part texts, a line each, maybe "". */
export function messageText(content: Content | undefined, profile: Reading): string | undefined {
  if (content?.parts === undefined || content.parts.length === 0) return undefined;
  return partTexts(content.parts, profile).join('\n');
}

/** Non-empty texts of parts; thoughts only where the profile takes them for text. */
export function partTexts(parts: readonly Part[], profile: Reading): readonly string[] {
  return parts.flatMap(({ text, thought }) => (text === undefined || text === '' || (thought === true && !profile.thoughtsAreText) ? [] : [text]));
}

/** The agent's response, with what it said on the way when that is asked for. Undefined when there is no message at all. */
export function responseText(turn: Invocation, withIntermediate: boolean, profile: Reading): string | undefined {
  const final = messageText(turn.finalResponse, profile);
  if (!withIntermediate) return final;
  const texts = [...intermediateTexts(turn, profile), ...(final === undefined || final === '' ? [] : [final])];
  return texts.length === 0 ? undefined : texts.join('\n');
}

function intermediateTexts({ intermediateData }: Invocation, profile: Reading): readonly string[] {
  if (intermediateData === undefined) return [];
  if (isInvocationEvents(intermediateData)) return intermediateData.invocationEvents.flatMap(({ content }) => partTexts(content?.parts ?? [], profile));
  return intermediateData.intermediateResponses.flatMap(([, parts]) => partTexts(parts, profile));
}

/** Events between question and answer. The older shape has none; outside google-adk its calls and answers are read as events. */
export function eventsOf({ intermediateData }: Invocation, profile: Reading): readonly InvocationEvent[] {
  if (intermediateData === undefined) return [];
  if (isInvocationEvents(intermediateData)) return intermediateData.invocationEvents;
  if (profile.name === 'google-adk') return [];
  const { toolUses, toolResponses, intermediateResponses } = intermediateData;
  return [
    ...intermediateResponses.map(([author, parts]) => ({ author, content: { role: 'model', parts } })),
    ...(toolUses.length === 0 ? [] : [{ author: 'agent', content: { role: 'model', parts: toolUses.map((functionCall) => ({ functionCall })) } }]),
    ...(toolResponses.length === 0 ? [] : [{ author: 'agent', content: { role: 'user', parts: toolResponses.map((functionResponse) => ({ functionResponse })) } }]),
  ];
}

/** One tool call with its answer. */
export interface ToolStep {
  /** From 0. */
  readonly step: number;
  readonly tool: string | undefined;
  readonly args: JsonObject | undefined;
  /** Undefined: nothing came back. */
  readonly response: FunctionResponse | undefined;
}

/**
 * Tool calls in order, each with its answer: by id, the last answer of an id counts. Calls without an id get, one after the other, the answers of their
 * tool without an id; under google-adk the last such answer of whichever tool.
 */
export function toolSteps(turn: Invocation, profile: Reading): readonly ToolStep[] {
  const { calls, responses } = callsAndResponses(turn);
  const byId = new Map(responses.map((response) => [response.id, response]));
  const waiting = responses.filter(({ id }) => id === undefined);
  return calls.map(({ id, name, args }, step) => {
    let response = byId.get(id);
    if (id === undefined && profile.name !== 'google-adk') {
      const index = waiting.findIndex((one) => one.name === undefined || one.name === name);
      response = index === -1 ? undefined : waiting.splice(index, 1)[0];
    }
    return { step, tool: name, args, response };
  });
}

function callsAndResponses({ intermediateData }: Invocation): { readonly calls: readonly { readonly id?: string; readonly name?: string; readonly args?: JsonObject }[]; readonly responses: readonly FunctionResponse[] } {
  if (intermediateData === undefined) return { calls: [], responses: [] };
  if (!isInvocationEvents(intermediateData)) return { calls: intermediateData.toolUses, responses: intermediateData.toolResponses };
  const parts = intermediateData.invocationEvents.flatMap(({ content }) => content?.parts ?? []);
  return { calls: parts.flatMap(({ functionCall }) => (functionCall === undefined ? [] : [functionCall])), responses: parts.flatMap(({ functionResponse }) => (functionResponse === undefined ? [] : [functionResponse])) };
}

/** Tool calls and answers as JSON, or a note that there are none. */
export function toolStepsText(turn: Invocation, profile: Reading): string {
  const steps = toolSteps(turn, profile);
  if (steps.length === 0) return 'The agent called no tools.';
  const simulated = new Set(isActual(turn) ? turn.toolCalls.filter((call) => call.simulated === true).map(({ id }) => id) : []);
  const ids = callsAndResponses(turn).calls.map(({ id }) => id);
  return stringifyJson(steps.map(({ step, tool, args, response }) => ({ step, tool, ...(ids[step] !== undefined && simulated.has(ids[step]) ? { simulated: true } : {}), args: args ?? null, response: response === undefined ? 'no answer' : (response.response ?? null) })));
}

/** Grounding metadata of the events, with position and author; undefined when there is none. */
export function groundingText(turn: Invocation, profile: Reading): string | undefined {
  const found = eventsOf(turn, profile).flatMap(({ author, groundingMetadata }, event) => (groundingMetadata === undefined ? [] : [{ event, author, groundingMetadata }]));
  return found.length === 0 ? undefined : stringifyJson(found);
}

/** Agents of a turn as their models saw them. */
export function agentsOf({ appDetails }: Invocation): readonly AgentDetails[] {
  return Object.entries(appDetails?.agentDetails ?? {}).map(([name, details]) => ({ ...details, name: details.name === '' ? name : details.name }));
}

/**
 * Instructions of the agent that answered: the author of the first event, else the first agent. Outside google-adk an author that is no known
 * agent stands for the first agent.
 *
 * @throws {RangeError} under google-adk, for such an author
 */
export function instructionsOf(turn: Invocation, profile: Reading): string | undefined {
  const agents = turn.appDetails?.agentDetails;
  if (agents === undefined) return undefined;
  const [firstAgent] = Object.keys(agents);
  const author = eventsOf(turn, profile)[0]?.author ?? firstAgent;
  if (author === undefined) return undefined;
  const known = Object.hasOwn(agents, author) ? agents[author] : undefined;
  if (known !== undefined) return known.instructions;
  if (profile.name === 'google-adk') throw new RangeError(`The author ${JSON.stringify(author)} is no agent of the app.`);
  return firstAgent === undefined ? undefined : agents[firstAgent]?.instructions;
}

/** Tool declarations by agent as JSON, or a note that there are none. */
export function declarationsText(turn: Invocation): string {
  const agents = agentsOf(turn);
  if (agents.every(({ toolDeclarations }) => toolDeclarations.length === 0)) return agents.length === 0 ? 'The tools of the agent are not known.' : 'The agent has no tools.';
  return stringifyJson(Object.fromEntries(agents.map(({ name, toolDeclarations }) => [name, toolDeclarations])));
}
