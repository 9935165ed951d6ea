export { type BriefingOptions, briefProject, type ProjectBriefing } from './briefing/index.ts';
export {
  type AttemptDraft,
  attemptOf,
  attemptOfFields,
  attemptOfKept,
  type CallSurroundings,
  type ServedRequest,
  servedRequest,
} from './call/attempt-of.ts';
export { CallContext } from './call/call-context.ts';
export { type CallFields, describeCall } from './call/describe-call.ts';
export { type KeptResult, keepResult, mayHideExit } from './call/kept-result.ts';
export { isOwnTool } from './call/own-tool.ts';
export type { CallResult, ToolCall } from './call/tool-call.ts';
export {
  DigestBook,
  type DigestCommit,
  type DigestFailure,
  type DigestRequest,
  type DigestStep,
  removeDigests,
  type SessionDigest,
} from './digest/index.ts';
export type { FailureClass } from './failure/failure-class.ts';
export { type FeedbackDraft, feedbackAttempt, feedbackOf, goesOn } from './feedback/index.ts';
export { blamedBy } from './guard/failure-book.ts';
export { Guard, type GuardOptions } from './guard/guard.ts';
export { type Evidence, type Hazard, isOpen, latestEvidence, type Resolution } from './guard/hazard.ts';
export type { Choice } from './guard/known-failures.ts';
export { type FailureWarning, hazardId, warningOf } from './guard/warning.ts';
export {
  type GivenWarning,
  type OverrideOutcome,
  parseWarningEntry,
  type WarningEntry,
} from './guard/warning-log.ts';
export { UNSEEN, type World } from './guard/world.ts';
export { type KnowledgeFile, readKnowledge, type Synthesis, synthesise } from './knowledge/index.ts';
export {
  type Recollection,
  recall,
  type StandingFailure,
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
