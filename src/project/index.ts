export type { BackupReport, Progress } from '../backup/archive-format.ts';
export {
  type FailureSummary,
  ProjectMemory,
  type ProjectOverview,
  type WarningHistory,
} from '../memory/project-memory.ts';
export { type NewPrompt, Recorder } from '../recording/recorder.ts';
export { homeFolder } from '../registry/folders.ts';
export type { ForgetReport } from './forget.ts';
export type { Finding } from './health.ts';
export { Home, type HomeOptions, type HomeStatus, openHome, openProject, type SessionList } from './home.ts';
export { type NewAttempt, Project, type SessionView } from './project.ts';
