export type { BackupReport } from '../backup/archive-format.ts';
export type { Progress } from '../files/index.ts';
export {
  type FailureSummary,
  findWarningEnding,
  ProjectMemory,
  type ProjectOverview,
  type WarningEnding,
  type WarningHistory,
} from '../memory/project-memory.ts';
export { type NewPrompt, Recorder } from '../recording/recorder.ts';
export { homeFolder, userHomeFolder } from '../registry/folders.ts';
export { describeInterruptedDeletion } from './deletions.ts';
export type { EmbedReport } from './embeddings.ts';
export type { ForgetReport } from './forget.ts';
export type { Finding } from './health.ts';
export { Home, type HomeOptions, type HomeStatus, openHome, openProject, type SessionList } from './home.ts';
export { type NewAttempt, Project, type SessionView } from './project.ts';
export { labelProjects } from './project-labels.ts';
