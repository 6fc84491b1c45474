import { Type } from '@sinclair/typebox';
import { content, functionCall, functionResponse, part, usageMetadata } from './genai';
import { groundingMetadata } from './grounding';
import { defaulted, freeMap, mapOf, maybe, maybeDefaulted, model, special } from './words';

/** google-adk 2.13 `eval_set.py`, `eval_case.py`, `eval_rubrics.py`, `app_details.py`, `conversation_scenarios.py`. */
const strict = { spelling: 'aliased', unknown: 'strict' } as const;
const keeping = { spelling: 'aliased', unknown: 'keeping' } as const;
const plainLoose = { spelling: 'plain', unknown: 'loose' } as const;

/** One yes-or-no criterion for a judge. */
export const rubric = model('Rubric', strict, {
  rubric_id: Type.String(),
  rubric_content: model('RubricContent', strict, { text_property: maybe(Type.String()) }),
  description: maybe(Type.String()),
  type: maybe(Type.String()),
});

const agentDetails = model('AgentDetails', strict, {
  name: Type.String(),
  instructions: defaulted(Type.String(), ''),
  tool_declarations: defaulted(Type.Array(Type.Unknown()), []),
});

const appDetails = model('AppDetails', strict, { agent_details: defaulted(mapOf(agentDetails), {}) });

const intermediateData = model('IntermediateData', strict, {
  tool_uses: defaulted(Type.Array(functionCall), []),
  tool_responses: defaulted(Type.Array(functionResponse), []),
  intermediate_responses: defaulted(Type.Array(Type.Tuple([Type.String(), Type.Array(part)])), []),
});

const invocationEvent = model('InvocationEvent', { spelling: 'aliased', unknown: 'loose', refusesTypos: true }, {
  author: Type.String(),
  content: maybe(content),
  grounding_metadata: maybe(groundingMetadata),
  usage_metadata: maybe(usageMetadata),
  model_version: maybe(Type.String()),
});

const invocationEvents = model('InvocationEvents', strict, { invocation_events: defaulted(Type.Array(invocationEvent), []) });

/** One turn. */
export const invocation = model('Invocation', strict, {
  invocation_id: defaulted(Type.String(), ''),
  user_content: content,
  final_response: maybe(content),
  intermediate_data: maybe(special('intermediate_data', Type.Union([intermediateData, invocationEvents]))),
  creation_timestamp: defaulted(Type.Number(), 0),
  duration: maybe(Type.Number()),
  model_duration: maybe(Type.Number()),
  tool_duration: maybe(Type.Number()),
  rubrics: maybe(Type.Array(rubric)),
  app_details: maybe(appDetails),
});

/** The session a case runs in. */
export const sessionInput = model('SessionInput', keeping, {
  app_name: Type.String(),
  user_id: Type.String(),
  session_id: maybe(Type.String()),
  state: defaulted(freeMap(), {}),
});

const userBehavior = model('UserBehavior', plainLoose, {
  name: Type.String(),
  description: Type.String(),
  behavior_instructions: Type.Array(Type.String()),
  violation_rubrics: Type.Array(Type.String()),
});

const userPersona = model('UserPersona', plainLoose, {
  id: Type.String(),
  description: Type.String(),
  behaviors: Type.Array(userBehavior),
});

const conversationScenario = model('ConversationScenario', strict, {
  starting_prompt: Type.String(),
  conversation_plan: Type.String(),
  user_persona: maybe(special('persona', Type.Union([userPersona, Type.String()]))),
});

/** A file of scenarios. */
export const conversationScenarios = model('ConversationScenarios', strict, { scenarios: Type.Array(conversationScenario) });

/** One session of a case with several: ours. */
const evalSession = model('EvalSession', strict, {
  name: maybe(Type.String()),
  resumes: maybe(Type.String()),
  session_input: maybe(sessionInput),
  conversation: Type.Array(invocation),
  final_session_state: maybe(freeMap()),
  add_to_memory: defaulted(Type.Boolean(), true),
});

/** One case. */
export const evalCase = model('EvalCase', { ...keeping, rule: 'one_conversation', ownFields: ['sessions'], ours: ['tags', 'user_simulator_config', 'userSimulatorConfig', 'tool_mocks', 'toolMocks'] }, {
  eval_id: Type.String(),
  conversation: maybe(Type.Array(invocation)),
  conversation_scenario: maybe(conversationScenario),
  sessions: maybe(Type.Array(evalSession)),
  session_input: maybe(sessionInput),
  creation_timestamp: defaulted(Type.Number(), 0),
  rubrics: maybe(Type.Array(rubric)),
  final_session_state: maybeDefaulted(freeMap(), {}),
});

/** An eval set file. */
export const evalSet = model('EvalSet', plainLoose, {
  eval_set_id: Type.String(),
  name: maybe(Type.String()),
  description: maybe(Type.String()),
  eval_cases: Type.Array(evalCase),
  creation_timestamp: defaulted(Type.Number(), 0),
});
