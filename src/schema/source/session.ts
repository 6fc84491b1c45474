import { Type } from '@sinclair/typebox';
import { content, transcription, usageMetadata } from './genai';
import { groundingMetadata } from './grounding';
import { defaulted, freeMap, mapOf, maybe, model, opaqueObject, openEnum } from './words';

/** google-adk 2.13 `session.py`, `event.py`, `event_actions.py`: exported sessions, and the sessions inside result files. */
const strict = { spelling: 'aliased', unknown: 'strict' } as const;

const toolConfirmation = model('ToolConfirmation', strict, {
  hint: defaulted(Type.String(), ''),
  confirmed: defaulted(Type.Boolean(), false),
  payload: maybe(Type.Unknown()),
});

const eventCompaction = model('EventCompaction', strict, {
  start_timestamp: Type.Number(),
  end_timestamp: Type.Number(),
  compacted_content: content,
});

const uiWidget = model('UiWidget', strict, { id: Type.String(), provider: Type.String(), payload: defaulted(freeMap(), {}) });

const eventActions = model('EventActions', strict, {
  skip_summarization: maybe(Type.Boolean()),
  state_delta: defaulted(freeMap(), {}),
  artifact_delta: defaulted(mapOf(Type.Integer()), {}),
  transfer_to_agent: maybe(Type.String()),
  transfer_reason: maybe(Type.String()),
  escalate: maybe(Type.Boolean()),
  requested_auth_configs: defaulted(freeMap(), {}),
  requested_tool_confirmations: defaulted(mapOf(toolConfirmation), {}),
  compaction: maybe(eventCompaction),
  end_of_agent: maybe(Type.Boolean()),
  agent_state: maybe(freeMap()),
  rewind_before_invocation_id: maybe(Type.String()),
  route: maybe(Type.Unknown()),
  render_ui_widgets: maybe(Type.Array(uiWidget)),
  set_model_response: maybe(Type.Unknown()),
});

const cacheMetadata = model('CacheMetadata', { spelling: 'plain', unknown: 'strict' }, {
  cache_name: maybe(Type.String()),
  expire_time: maybe(Type.Number()),
  fingerprint: Type.String(),
  invocations_used: maybe(Type.Integer()),
  contents_count: Type.Integer(),
  created_at: maybe(Type.Number()),
});

const nodeInfo = model('NodeInfo', { spelling: 'aliased', unknown: 'loose', quiet: true }, {
  path: defaulted(Type.String(), ''),
  output_for: maybe(Type.Array(Type.String())),
  message_as_output: maybe(Type.Boolean()),
});

const event = model('Event', { spelling: 'aliased', unknown: 'loose', rule: 'event_identity', quiet: true }, {
  model_version: maybe(Type.String()),
  content: maybe(content),
  grounding_metadata: maybe(groundingMetadata),
  partial: maybe(Type.Boolean()),
  turn_complete: maybe(Type.Boolean()),
  turn_complete_reason: maybe(openEnum()),
  interaction_status: maybe(openEnum('IN_PROGRESS', 'REQUIRES_ACTION', 'IDLE')),
  finish_reason: maybe(openEnum('STOP', 'MAX_TOKENS', 'SAFETY', 'RECITATION', 'OTHER')),
  error_code: maybe(Type.String()),
  error_message: maybe(Type.String()),
  interrupted: maybe(Type.Boolean()),
  custom_metadata: maybe(freeMap()),
  usage_metadata: maybe(usageMetadata),
  live_session_resumption_update: maybe(opaqueObject()),
  live_session_id: maybe(Type.String()),
  go_away: maybe(opaqueObject()),
  voice_activity: maybe(opaqueObject()),
  input_transcription: maybe(transcription),
  output_transcription: maybe(transcription),
  avg_logprobs: maybe(Type.Number()),
  logprobs_result: maybe(opaqueObject()),
  cache_metadata: maybe(cacheMetadata),
  citation_metadata: maybe(opaqueObject()),
  interaction_id: maybe(Type.String()),
  environment_id: maybe(Type.String()),
  invocation_id: defaulted(Type.String(), ''),
  author: defaulted(Type.String(), ''),
  actions: defaulted(eventActions, {}),
  output: maybe(Type.Unknown()),
  node_info: defaulted(nodeInfo, {}),
  long_running_tool_ids: maybe(Type.Array(Type.String())),
  branch: maybe(Type.String()),
  isolation_scope: maybe(Type.String()),
  id: defaulted(Type.String(), ''),
  timestamp: defaulted(Type.Number(), 0),
});

/** An exported session; new fields appear with new versions. */
export const session = model('Session', { ...strict, grows: true }, {
  id: Type.String(),
  app_name: Type.String(),
  user_id: Type.String(),
  state: defaulted(freeMap(), {}),
  events: defaulted(Type.Array(event), []),
  last_update_time: defaulted(Type.Number(), 0),
});

/** What is used of an *initial session* file: a session export or a hand-written object; everything else in it is left alone. */
export const initialSession = model('InitialSession', { spelling: 'plain', unknown: 'loose', quiet: true }, {
  app_name: defaulted(Type.String(), ''),
  user_id: defaulted(Type.String(), ''),
  state: defaulted(freeMap(), {}),
});
