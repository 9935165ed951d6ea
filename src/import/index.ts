export { loadTranscripts } from '../agents/registry.ts';
export { type FoundSource, findSources } from './find-sources.ts';
export type { ImportProgress } from './import-progress.ts';
export type { AgentReport, ImportReport, LeftSource, TranscriptProblem } from './import-report.ts';
export { type ImportOptions, importTranscripts } from './import-transcripts.ts';
