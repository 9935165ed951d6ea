export { findWarningEnding, type WarningEnding, type WarningHistory } from '../ask/warnings.ts';
export type { BackupReport } from '../backup/archive-format.ts';
export type { Progress } from '../files/index.ts';
export type { NewPrompt } from '../recording/record-prompt.ts';
export { Recorder } from '../recording/recorder.ts';
export { homeFolder, userHomeFolder } from '../registry/folders.ts';
export type { BlamedRange, ChangeOrigin, RecordedChange } from './blame.ts';
export { describeInterruptedDeletion, type SessionDeletion } from './deletions.ts';
export type { EmbedReport } from './embeddings.ts';
export { callOutput, callTitle, editWord, exportJson, exportMarkdown, fileEdits } from './export-session.ts';
export type { ChangesOfFile, FileBlame } from './file-history.ts';
export type { ForgetReport } from './forget.ts';
export type { HealthFinding, HomeStatus } from './health.ts';
export { Home, type HomeOptions, type ListedSessions } from './home.ts';
export { openHome, openProject } from './open-home.ts';
export { type NewAttempt, Project, type SessionLabels, type SessionView } from './project.ts';
export { labelProjects } from './project-labels.ts';
export {
  type FailureSummary,
  ProjectMemory,
  type ProjectOverview,
  summariseFailure,
} from './project-memory.ts';
export { exportHtml, HTML_END, htmlStart } from './session-html.ts';
export {
  buildSessionRows,
  type ChangedFile,
  callsOf,
  changedFiles,
  type ReaderRow,
  recordIds,
  type SessionCall,
} from './session-rows.ts';
export {
  countTokens,
  type SessionCost,
  type UsageGroup,
  type UsageReport,
  type UsageSums,
} from './usage.ts';
