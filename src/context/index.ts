export { estimatePromptTokens, type KnownTokens } from './assembly/estimate.ts';
export { assembleFlat } from './assembly/flat.ts';
export type { MarkerOptions } from './assembly/place-markers.ts';
export type { PromptInput } from './assembly/prompt-input.ts';
export type { ContentBlock, ImageBlock, PromptMessage, TextBlock } from './assembly/prompt-message.ts';
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
  usageOfAiSdk,
  usageOfAnthropic,
  usageOfOpenAi,
} from './assembly/providers/usage.ts';
export { ACKNOWLEDGEMENT, SECTION_HEADERS } from './assembly/sections.ts';
export { assembleTiered } from './assembly/tiered.ts';
export { EMERGENCY_FACTOR, emergencyTruncate, type TruncatedHistory } from './budget/emergency-truncate.ts';
export {
  INPUT_SHARE,
  OVERHEAD_TOKENS,
  type PromptWeights,
  type Shedding,
  type ShedFile,
  shedFiles,
} from './budget/shed-files.ts';
export type { TokenBudget } from './budget/token-budget.ts';
export { contentHash } from './cache/content-hash.ts';
export { defaultCacheTarget } from './cache/default-cache-target.ts';
export type { InitialOptions, ReferenceGraph } from './cache/initial-tiers.ts';
export { type MarkKey, type Placement, placementOf } from './cache/placement.ts';
export {
  StabilityTracker,
  type TierChanges,
  type TrackerOptions,
  type UpdateOptions,
} from './cache/stability-tracker.ts';
export { CACHED_TIERS, type CachedTier, type ItemKey, type Tier, type TrackedItem } from './cache/tier.ts';
export type { ReportedItem, ReportedTier, TierMove, TierReport } from './cache/tier-report.ts';
export { applyCompaction } from './compaction/apply-compaction.ts';
export type { Compaction } from './compaction/compaction.ts';
export type { CompactionCase, CompactionEvent } from './compaction/compaction-event.ts';
export {
  COMPACTION_DEFAULTS,
  type CompactionSettings,
  compactionSettings,
} from './compaction/compaction-settings.ts';
export { Compactor, type CompactorOptions } from './compaction/compactor.ts';
export {
  type AskModel,
  type BoundaryPrompt,
  ModelDetector,
  type ModelDetectorOptions,
} from './compaction/model-detector.ts';
export { OfflineDetector } from './compaction/offline-detector.ts';
export { summariseTurns } from './compaction/summary/summarise-turns.ts';
export type {
  Summariser,
  SummariserOptions,
  SummaryOptions,
  TextCounter,
} from './compaction/summary/summariser.ts';
export { type EarlierSummary, earlierSummary, summaryPair } from './compaction/summary/summary-pair.ts';
export {
  type DetectOptions,
  SAFE_BOUNDARY,
  type TopicBoundary,
  type TopicDetector,
} from './compaction/topic-boundary.ts';
export { ContextManager } from './context-manager.ts';
export type {
  CompactionOptions,
  CompactionStatus,
  ContextManagerOptions,
  ContextTierReport,
} from './context-options.ts';
export {
  type FileAddition,
  FileContext,
  type FileContextOptions,
  type FileReload,
  MAX_FILE_BYTES,
} from './files/file-context.ts';
export type { FileProblem, FileProblemReason } from './files/file-problem.ts';
export { formatFile } from './files/format-file.ts';
export type { CompactOptions } from './history-compaction.ts';
export type { Listener } from './listeners.ts';
export type { PromptRequest } from './prompt-request.ts';
export type { EncodingName } from './tokens/encoding-name.ts';
export type { ImageRule } from './tokens/image-rule.ts';
export { type ImageSize, imageSize } from './tokens/image-size.ts';
export { imageTokens } from './tokens/image-tokens.ts';
export { type ModelInfo, modelInfo } from './tokens/model-info.ts';
export { type CountedMessage, TokenCounter } from './tokens/token-counter.ts';
export { segmentTopics, type TopicStart } from './topics/segment-topics.ts';
export type { TopicMessage } from './topics/topic-message.ts';
export { DEFAULT_TOKEN_BUDGET, estimateTokens } from './turns/estimate-tokens.ts';
export { DEFAULT_MAX_TURNS, type SlidWindow, slideWindow } from './turns/slide-window.ts';
export { suggestedCommands } from './turns/suggested-commands.ts';
export type { Turn } from './turns/turn.ts';
export { TurnList } from './turns/turn-list.ts';
