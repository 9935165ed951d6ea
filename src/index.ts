export { Config, SETTINGS } from './config/index.ts';
export {
  type ContextMessage,
  HistoryStore,
  type NewMessage,
  type SessionMessage,
} from './history/index.ts';
export {
  type CallResult,
  type FailureWarning,
  type Knowledge,
  type MachineState,
  type Recap,
  type Recollection,
  type SessionWork,
  type ToolCall,
  UNKNOWN_MACHINE,
} from './memory/index.ts';
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
