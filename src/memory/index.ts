export { type MachineState, UNKNOWN_MACHINE } from '../ask/guard/candidates.ts';
export { Guard } from '../ask/guard/guard.ts';
export { type GuardOffReason, type GuardOptions, guardOffReason } from '../ask/guard/guard-options.ts';
export {
  type FailureChoice,
  type FailureOccurrence,
  isStanding,
  type KnownFailure,
  latestOccurrence,
} from '../ask/guard/known-failure.ts';
export { type FailureWarning, failureId } from '../ask/guard/warning.ts';
export type { Knowledge } from '../ask/knowledge.ts';
export type {
  FailureCause,
  PastFailure,
  PastFailureOptions,
  PastFailureOrder,
  PastFailures,
} from '../ask/past-failures.ts';
export { formatRecap, type Recap, type RecapDay, type RecapOptions, type RecapSession } from '../ask/recap.ts';
export { parseRecapQuestion } from '../ask/recap-question.ts';
export type { SessionWork, WorkCommit, WorkFailure, WorkRequest, WorkStep } from '../ask/session-work.ts';
export type { TimelineDay, TimeSpan } from '../ask/timeline.ts';
export {
  type AttemptContext,
  type AttemptDraft,
  buildAttempt,
  buildAttemptFromFields,
  buildAttemptFromSummary,
  describeRequest,
  RequestDescriber,
  type ServedRequest,
} from '../facts/attempt/build-attempt.ts';
export { buildFeedbackAttempt, parseFeedback } from '../facts/attempt/feedback.ts';
export { isFollowUp } from '../facts/attempt/follow-up.ts';
export { mayHideExitCode, type ResultSummary, summariseResult } from '../facts/call/call-result.ts';
export { findCommitHash } from '../facts/call/command-text.ts';
export { type CallFields, describeCall } from '../facts/call/describe-call.ts';
export { type FileChange, findChangedPaths, findFileChanges } from '../facts/call/file-changes.ts';
export { type CallResult, isOwnTool, type ToolCall } from '../facts/call/tool-call.ts';
export type { FailureClass } from '../facts/failure/failure-kinds.ts';
export {
  parseWarningRecord,
  type RecordedWarning,
  type WarningOverride,
  type WarningRecord,
} from '../facts/warning-record.ts';
export { detectStack } from '../stack/detect-stack.ts';
export { projectFiles } from '../stack/project-files.ts';
export type { ProjectStack } from '../stack/project-stack.ts';
export type { ProjectKnowledge } from './project-memory.ts';
export { frameRecollection, type Recollection, type RecollectionLine } from './recall/recollection.ts';
