import { Type } from '@sinclair/typebox';
import { bytes, freeMap, genaiOptional, openEnum, special } from './words';

/** google-genai 2.34: contents, parts and token counts. Fields in declaration order, which is the order of writing. */
const partMediaResolutionLevel = openEnum('MEDIA_RESOLUTION_UNSPECIFIED', 'MEDIA_RESOLUTION_LOW', 'MEDIA_RESOLUTION_MEDIUM', 'MEDIA_RESOLUTION_HIGH', 'MEDIA_RESOLUTION_ULTRA_HIGH');
const outcome = openEnum('OUTCOME_UNSPECIFIED', 'OUTCOME_OK', 'OUTCOME_FAILED', 'OUTCOME_DEADLINE_EXCEEDED');
const language = openEnum('LANGUAGE_UNSPECIFIED', 'PYTHON');
const functionResponseScheduling = openEnum('SCHEDULING_UNSPECIFIED', 'SILENT', 'WHEN_IDLE', 'INTERRUPT');
const mediaProcessing = openEnum('MEDIA_PROCESSING_UNSPECIFIED', 'STATIC', 'AGENTIC');
const toolType = openEnum('TOOL_TYPE_UNSPECIFIED', 'GOOGLE_SEARCH_WEB', 'GOOGLE_SEARCH_IMAGE', 'URL_CONTEXT', 'GOOGLE_MAPS', 'FILE_SEARCH', 'MEDIA_PROCESSING');
const mediaModality = openEnum('MODALITY_UNSPECIFIED', 'TEXT', 'IMAGE', 'VIDEO', 'AUDIO', 'DOCUMENT');
const trafficType = openEnum('TRAFFIC_TYPE_UNSPECIFIED', 'ON_DEMAND', 'ON_DEMAND_PRIORITY', 'ON_DEMAND_FLEX', 'ON_DEMAND_OFFPEAK', 'PROVISIONED_THROUGHPUT');

const partMediaResolution = genaiOptional('PartMediaResolution', {
  level: partMediaResolutionLevel,
  num_tokens: Type.Integer(),
});
const codeExecutionResult = genaiOptional('CodeExecutionResult', {
  outcome,
  output: Type.String(),
  id: Type.String(),
});
const executableCode = genaiOptional('ExecutableCode', {
  code: Type.String(),
  language,
  id: Type.String(),
});
const fileData = genaiOptional('FileData', {
  display_name: Type.String(),
  file_uri: Type.String(),
  mime_type: Type.String(),
});
const partialArg = genaiOptional('PartialArg', {
  bool_value: Type.Boolean(),
  json_path: Type.String(),
  null_value: special('literal', Type.Literal('NULL_VALUE')),
  number_value: Type.Number(),
  string_value: Type.String(),
  will_continue: Type.Boolean(),
});
/** A tool call. */
export const functionCall = genaiOptional('FunctionCall', {
  id: Type.String(),
  args: freeMap(),
  name: Type.String(),
  partial_args: Type.Array(partialArg),
  will_continue: Type.Boolean(),
});
const functionResponseBlob = genaiOptional('FunctionResponseBlob', {
  mime_type: Type.String(),
  data: bytes(),
  display_name: Type.String(),
});
const functionResponseFileData = genaiOptional('FunctionResponseFileData', {
  file_uri: Type.String(),
  mime_type: Type.String(),
  display_name: Type.String(),
});
const functionResponsePart = genaiOptional('FunctionResponsePart', {
  inline_data: functionResponseBlob,
  file_data: functionResponseFileData,
  media_processing: mediaProcessing,
});
/** A tool's answer. */
export const functionResponse = genaiOptional('FunctionResponse', {
  will_continue: Type.Boolean(),
  scheduling: functionResponseScheduling,
  parts: Type.Array(functionResponsePart),
  id: Type.String(),
  name: Type.String(),
  response: freeMap(),
});
const blob = genaiOptional('Blob', {
  data: bytes(),
  display_name: Type.String(),
  mime_type: Type.String(),
});
const videoMetadata = genaiOptional('VideoMetadata', {
  end_offset: Type.String(),
  fps: Type.Number(),
  start_offset: Type.String(),
});
const toolCall = genaiOptional('ToolCall', {
  id: Type.String(),
  tool_type: toolType,
  args: freeMap(),
});
const toolResponse = genaiOptional('ToolResponse', {
  id: Type.String(),
  tool_type: toolType,
  response: freeMap(),
});
const wordInfo = genaiOptional('WordInfo', {
  word: Type.String(),
  start_offset: Type.String(),
  end_offset: Type.String(),
});
/** What was said. */
export const transcription = genaiOptional('Transcription', {
  text: Type.String(),
  finished: Type.Boolean(),
  language_code: Type.String(),
  speaker_label: Type.String(),
  words: Type.Array(wordInfo),
  start_offset: Type.String(),
  end_offset: Type.String(),
});
const speechMetadata = genaiOptional('SpeechMetadata', {
  speaker: Type.String(),
  style: Type.String(),
});
/** One part of a content. */
export const part = genaiOptional('Part', {
  media_resolution: partMediaResolution,
  code_execution_result: codeExecutionResult,
  executable_code: executableCode,
  file_data: fileData,
  function_call: functionCall,
  function_response: functionResponse,
  inline_data: blob,
  text: Type.String(),
  thought: Type.Boolean(),
  thought_signature: bytes(),
  video_metadata: videoMetadata,
  tool_call: toolCall,
  tool_response: toolResponse,
  part_metadata: freeMap(),
  audio_transcription: transcription,
  media_processing: mediaProcessing,
  speech_metadata: speechMetadata,
}, {
  nullTwins: ['code_execution_result', 'executable_code', 'file_data', 'function_call', 'function_response', 'inline_data', 'thought_signature', 'video_metadata'],
});
/** A message. */
export const content = genaiOptional('Content', {
  parts: Type.Array(part),
  role: Type.String(),
});
const modalityTokenCount = genaiOptional('ModalityTokenCount', {
  modality: mediaModality,
  token_count: Type.Integer(),
});
/** Token counts; new ones appear with new APIs. */
export const usageMetadata = genaiOptional('GenerateContentResponseUsageMetadata', {
  cache_tokens_details: Type.Array(modalityTokenCount),
  cached_content_token_count: Type.Integer(),
  candidates_token_count: Type.Integer(),
  candidates_tokens_details: Type.Array(modalityTokenCount),
  prompt_token_count: Type.Integer(),
  prompt_tokens_details: Type.Array(modalityTokenCount),
  thoughts_token_count: Type.Integer(),
  tool_use_prompt_token_count: Type.Integer(),
  tool_use_prompt_tokens_details: Type.Array(modalityTokenCount),
  total_token_count: Type.Integer(),
  traffic_type: trafficType,
}, { grows: true });
