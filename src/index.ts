export { type MachineState, UNKNOWN_MACHINE } from './ask/guard/candidates.ts';
export type { FailureWarning } from './ask/guard/warning.ts';
export type { Knowledge } from './ask/knowledge.ts';
export type { Recap } from './ask/recap.ts';
export type { SessionWork } from './ask/session-work.ts';
export { Config, SETTINGS } from './config/index.ts';
export type { CallResult, ToolCall } from './facts/call/tool-call.ts';
export {
  type ContextMessage,
  HistoryStore,
  type NewMessage,
  type SessionMessage,
} from './history/index.ts';
export {
  type BackupReport,
  type FailureSummary,
  type ForgetReport,
  type HealthFinding,
  Home,
  type HomeOptions,
  type HomeStatus,
  type ListedSessions,
  type NewAttempt,
  type NewPrompt,
  openHome,
  openProject,
  type Progress,
  Project,
  ProjectMemory,
  Recorder,
  type SessionView,
  type WarningHistory,
} from './project/index.ts';
export { PromptHistory } from './prompts/index.ts';
export {
  type Attempt,
  type Diagnostic,
  type ErrorCode,
  type Message,
  type Outcome,
  type Problem,
  type ProjectInfo,
  type Role,
  type SessionSummary,
  type Usage,
  YoreError,
} from './record/index.ts';
export { redact } from './redact/index.ts';
export type {
  SearchHit,
  SearchQuery,
  SearchResult,
  SessionFilter,
  SessionHits,
  Snippet,
} from './search/index.ts';
export type { Recollection } from './search/recall/recollection.ts';
