export { assembleFlat, estimatePromptTokens, type KnownTokens } from './assembly/assemble-flat.ts';
export { assembleTiered, type MarkerOptions } from './assembly/assemble-tiered.ts';
export type { PromptContent, PromptRequest } from './assembly/prompt.ts';
export {
  type AiSdkImagePart,
  type AiSdkJson,
  type AiSdkMessage,
  type AiSdkOptions,
  type AiSdkPrompt,
  type AiSdkProviderOptions,
  type AiSdkSystemMessage,
  type AiSdkTextPart,
  toAiSdkPrompt,
} from './assembly/providers/ai-sdk.ts';
export {
  type AnthropicCacheControl,
  type AnthropicImageBlock,
  type AnthropicMessage,
  type AnthropicOptions,
  type AnthropicPrompt,
  type AnthropicTextBlock,
  toAnthropicPrompt,
} from './assembly/providers/anthropic.ts';
export { type OpenAiMessage, type OpenAiPart, toOpenAiMessages } from './assembly/providers/openai.ts';
export {
  type AiSdkUsage,
  type AnthropicUsage,
  type OpenAiUsage,
  usageFromAiSdk,
  usageFromAnthropic,
  usageFromOpenAi,
} from './assembly/providers/usage.ts';
export { ACKNOWLEDGEMENT, SECTION_HEADERS } from './assembly/sections.ts';
export {
  DEFAULT_TOKEN_BUDGET,
  estimateTokens,
  INPUT_SHARE,
  OVERHEAD_TOKENS,
  type PromptSize,
  type SheddingResult,
  type ShedFile,
  shedFiles,
  type TokenBudget,
} from './budget.ts';
export type { InitialTierOptions, ReferenceGraph } from './cache/initial-tiers.ts';
export {
  StabilityTracker,
  type TierChanges,
  type TrackerOptions,
  type UpdateOptions,
} from './cache/stability-tracker.ts';
export {
  CACHED_TIERS,
  type CachedTier,
  defaultCacheTarget,
  type ItemKey,
  type MarkerKey,
  type Placement,
  placementOf,
  type ReportedItem,
  type ReportedTier,
  type SentTier,
  type Tier,
  type TierMove,
  type TierReport,
  type TrackedItem,
} from './cache/tiers.ts';
export {
  applyCompaction,
  type Compaction,
  type CompactionCase,
  type CompactionEvent,
  findHistorySummary,
  type HistorySummary,
  summaryPair,
} from './compaction/compaction.ts';
export {
  COMPACTION_DEFAULTS,
  type CompactionSettings,
  compactionSettings,
} from './compaction/compaction-settings.ts';
export { Compactor, type CompactorOptions } from './compaction/compactor.ts';
export type { CompactOptions, Listener } from './compaction/history-compaction.ts';
export {
  type AskModel,
  type BoundaryPrompt,
  ModelDetector,
  type ModelDetectorOptions,
} from './compaction/model-detector.ts';
export { OfflineDetector } from './compaction/offline-detector.ts';
export type { TextCounter } from './compaction/summary/render-summary.ts';
export {
  type Summariser,
  type SummariserOptions,
  type SummaryOptions,
  summariseTurns,
} from './compaction/summary/summarise-turns.ts';
export {
  type DetectOptions,
  SAFE_BOUNDARY,
  type TopicBoundary,
  type TopicDetector,
} from './compaction/topic-boundary.ts';
export { contentHash } from './content-hash.ts';
export {
  type CompactionOptions,
  type CompactionStatus,
  ContextManager,
  type ContextManagerOptions,
  type ContextTierReport,
} from './context-manager.ts';
export {
  type FileAddition,
  FileContext,
  type FileContextOptions,
  type FileReload,
  MAX_FILE_BYTES,
} from './files/file-context.ts';
export { formatFile } from './files/format-file.ts';
export type { FileProblem, FileProblemReason } from './files/project-path.ts';
export type { ContentBlock, ImageBlock, PromptMessage, TextBlock, Turn } from './message.ts';
export { type ImageSize, imageSize, imageTokens } from './tokens/images.ts';
export { type EncodingName, type ImageRule, type ModelInfo, modelInfo } from './tokens/models.ts';
export { type CountedMessage, TokenCounter } from './tokens/token-counter.ts';
export { segmentTopics, type TopicStart } from './topics/segment-topics.ts';
export type { TopicMessage } from './topics/session-facts.ts';
export { suggestedCommands } from './turns/suggested-commands.ts';
export {
  DEFAULT_MAX_TURNS,
  EMERGENCY_FACTOR,
  emergencyTruncate,
  slideWindow,
  type TruncationResult,
  type WindowResult,
} from './turns/truncate.ts';
export { TurnList } from './turns/turn-list.ts';
