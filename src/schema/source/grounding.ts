import { Type } from '@sinclair/typebox';
import { bytes, genaiOptional } from './words';

/** google-genai 2.34: where an answer was grounded. */

const groundingChunkImage = genaiOptional('GroundingChunkImage', {
  source_uri: Type.String(),
  image_uri: Type.String(),
  title: Type.String(),
  domain: Type.String(),
});
const groundingChunkMapsPlaceAnswerSourcesAuthorAttribution = genaiOptional('GroundingChunkMapsPlaceAnswerSourcesAuthorAttribution', {
  display_name: Type.String(),
  photo_uri: Type.String(),
  uri: Type.String(),
});
const groundingChunkMapsPlaceAnswerSourcesReviewSnippet = genaiOptional('GroundingChunkMapsPlaceAnswerSourcesReviewSnippet', {
  author_attribution: groundingChunkMapsPlaceAnswerSourcesAuthorAttribution,
  flag_content_uri: Type.String(),
  google_maps_uri: Type.String(),
  relative_publish_time_description: Type.String(),
  review: Type.String(),
  review_id: Type.String(),
  title: Type.String(),
});
const groundingChunkMapsPlaceAnswerSources = genaiOptional('GroundingChunkMapsPlaceAnswerSources', {
  review_snippet: Type.Array(groundingChunkMapsPlaceAnswerSourcesReviewSnippet),
  flag_content_uri: Type.String(),
  review_snippets: Type.Array(groundingChunkMapsPlaceAnswerSourcesReviewSnippet),
});
const groundingChunkMapsRoute = genaiOptional('GroundingChunkMapsRoute', {
  distance_meters: Type.Integer(),
  duration: Type.String(),
  encoded_polyline: Type.String(),
});
const groundingChunkMaps = genaiOptional('GroundingChunkMaps', {
  place_answer_sources: groundingChunkMapsPlaceAnswerSources,
  place_id: Type.String(),
  text: Type.String(),
  title: Type.String(),
  uri: Type.String(),
  route: groundingChunkMapsRoute,
});
const ragChunkPageSpan = genaiOptional('RagChunkPageSpan', {
  first_page: Type.Integer(),
  last_page: Type.Integer(),
});
const ragChunk = genaiOptional('RagChunk', {
  page_span: ragChunkPageSpan,
  text: Type.String(),
  chunk_id: Type.String(),
  file_id: Type.String(),
});
const groundingChunkStringList = genaiOptional('GroundingChunkStringList', {
  values: Type.Array(Type.String()),
});
const groundingChunkCustomMetadata = genaiOptional('GroundingChunkCustomMetadata', {
  key: Type.String(),
  numeric_value: Type.Number(),
  string_list_value: groundingChunkStringList,
  string_value: Type.String(),
});
const groundingChunkRetrievedContext = genaiOptional('GroundingChunkRetrievedContext', {
  document_name: Type.String(),
  rag_chunk: ragChunk,
  text: Type.String(),
  title: Type.String(),
  uri: Type.String(),
  custom_metadata: Type.Array(groundingChunkCustomMetadata),
  file_search_store: Type.String(),
  page_number: Type.Integer(),
  media_id: Type.String(),
});
const groundingChunkWeb = genaiOptional('GroundingChunkWeb', {
  domain: Type.String(),
  title: Type.String(),
  uri: Type.String(),
});
const groundingChunk = genaiOptional('GroundingChunk', {
  image: groundingChunkImage,
  maps: groundingChunkMaps,
  retrieved_context: groundingChunkRetrievedContext,
  web: groundingChunkWeb,
});
const segment = genaiOptional('Segment', {
  start_index: Type.Integer(),
  end_index: Type.Integer(),
  part_index: Type.Integer(),
  text: Type.String(),
});
const groundingSupport = genaiOptional('GroundingSupport', {
  confidence_scores: Type.Array(Type.Number()),
  grounding_chunk_indices: Type.Array(Type.Integer()),
  segment: segment,
  rendered_parts: Type.Array(Type.Integer()),
});
const retrievalMetadata = genaiOptional('RetrievalMetadata', {
  google_search_dynamic_retrieval_score: Type.Number(),
});
const searchEntryPoint = genaiOptional('SearchEntryPoint', {
  rendered_content: Type.String(),
  sdk_blob: bytes(),
});
const groundingMetadataSourceFlaggingUri = genaiOptional('GroundingMetadataSourceFlaggingUri', {
  flag_content_uri: Type.String(),
  source_id: Type.String(),
});
/** Sources of an answer; new fields appear with new APIs. */
export const groundingMetadata = genaiOptional('GroundingMetadata', {
  image_search_queries: Type.Array(Type.String()),
  grounding_chunks: Type.Array(groundingChunk),
  grounding_supports: Type.Array(groundingSupport),
  retrieval_metadata: retrievalMetadata,
  search_entry_point: searchEntryPoint,
  web_search_queries: Type.Array(Type.String()),
  google_maps_widget_context_token: Type.String(),
  retrieval_queries: Type.Array(Type.String()),
  source_flagging_uris: Type.Array(groundingMetadataSourceFlaggingUri),
}, { grows: true });
