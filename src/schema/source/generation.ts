import { Type } from '@sinclair/typebox';
import { bytes, genaiOptional, mapOf, openEnum, special } from './words';

/** google-genai 2.34: how a model is asked. What a simulated user or a judge hardly ever sets is kept as it is found. */
const grows = { grows: true } as const;

const voiceConfig = genaiOptional('VoiceConfig', {
  replicated_voice_config: Type.Any(),
  prebuilt_voice_config: genaiOptional('PrebuiltVoiceConfig', { voice_name: Type.String() }, grows),
  voice: Type.String(),
}, grows);

const speechConfig = genaiOptional('SpeechConfig', {
  voice_config: voiceConfig,
  language_code: Type.String(),
  multi_speaker_voice_config: Type.Any(),
}, grows);

const thinkingConfig = genaiOptional('ThinkingConfig', {
  include_thoughts: Type.Boolean(),
  thinking_budget: Type.Integer(),
  thinking_level: openEnum('THINKING_LEVEL_UNSPECIFIED', 'MINIMAL', 'LOW', 'MEDIUM', 'HIGH'),
}, grows);

const safetySetting = genaiOptional('SafetySetting', {
  category: Type.String(),
  method: Type.String(),
  threshold: Type.String(),
}, grows);

/** All of it; both spellings, converted like everything else. */
export const generateContentConfig = genaiOptional('GenerateContentConfig', {
  http_options: Type.Any(),
  should_return_http_response: Type.Boolean(),
  system_instruction: Type.Any(),
  temperature: Type.Number(),
  top_p: Type.Number(),
  top_k: Type.Number(),
  candidate_count: Type.Integer(),
  max_output_tokens: Type.Integer(),
  stop_sequences: Type.Array(Type.String()),
  response_logprobs: Type.Boolean(),
  logprobs: Type.Integer(),
  presence_penalty: Type.Number(),
  frequency_penalty: Type.Number(),
  seed: Type.Integer(),
  response_mime_type: Type.String(),
  response_schema: Type.Any(),
  response_json_schema: Type.Any(),
  routing_config: Type.Any(),
  model_selection_config: Type.Any(),
  safety_settings: Type.Array(safetySetting),
  tools: Type.Any(),
  tool_config: Type.Any(),
  labels: mapOf(Type.String()),
  cached_content: Type.String(),
  response_modalities: Type.Array(Type.String()),
  media_resolution: openEnum('MEDIA_RESOLUTION_UNSPECIFIED', 'MEDIA_RESOLUTION_LOW', 'MEDIA_RESOLUTION_MEDIUM', 'MEDIA_RESOLUTION_HIGH'),
  speech_config: special('speech_config', Type.Union([Type.String(), speechConfig])),
  audio_timestamp: Type.Boolean(),
  automatic_function_calling: Type.Any(),
  thinking_config: thinkingConfig,
  image_config: Type.Any(),
  enable_enhanced_civic_answers: Type.Boolean(),
  model_armor_config: Type.Any(),
  service_tier: Type.String(),
  audio_transcription_config: Type.Any(),
  continuation_token: bytes(),
  automatic_continuation: Type.Boolean(),
  generation_output_config: Type.Any(),
  store: Type.Boolean(),
}, grows);
