export { type BriefingOptions, briefProject, type ProjectBriefing } from './briefing/index.ts';
export {
  type AttemptContext,
  type AttemptDraft,
  attemptOf,
  attemptOfFields,
  attemptOfKept,
  type ServedRequest,
  servedRequest,
} from './call/attempt-of.ts';
export { CallContext } from './call/call-context.ts';
export { type CallFields, describeCall } from './call/describe-call.ts';
export { type KeptResult, keepResult, mayHideExit } from './call/kept-result.ts';
export { isOwnTool } from './call/own-tool.ts';
export type { CallResult, ToolCall } from './call/tool-call.ts';
export {
  type DigestCommit,
  type DigestRequest,
  type DigestStep,
  DigestStore,
  removeDigests,
  type SessionDigest,
  type SessionFailure,
} from './digest/index.ts';
export type { FailureClass } from './failure/failure-class.ts';
export { type FeedbackDraft, feedbackAttempt, feedbackOf, goesOn } from './feedback/index.ts';
export { blamedBy } from './guard/failure-book.ts';
export { Guard, type GuardOptions } from './guard/guard.ts';
export {
  type FailureOccurrence,
  isUnresolved,
  type KnownFailure,
  latestOccurrence,
  type Resolution,
} from './guard/hazard.ts';
export type { FailureChoice } from './guard/known-failures.ts';
export { type FailureWarning, failureId, warningOf } from './guard/warning.ts';
export {
  parseWarningRecord,
  type RecordedWarning,
  type WarningOverride,
  type WarningRecord,
} from './guard/warning-log.ts';
export { type MachineState, UNKNOWN_MACHINE } from './guard/world.ts';
export { type KnowledgeFile, readKnowledge, type Synthesis, synthesise } from './knowledge/index.ts';
export {
  type ActiveFailure,
  type Recollection,
  recall,
  updateRecallFile,
  withRecallMemory,
} from './recall/index.ts';
export {
  type Recap,
  type RecapDay,
  type RecapOptions,
  type RecapSession,
  recap,
  recapQuestion,
  recapText,
  type TimelineDay,
  type TimeSpan,
  timeline,
} from './recap/index.ts';
export { detectStack, type ProjectStack, projectFiles } from './stack/index.ts';
