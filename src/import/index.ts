export { loadTranscripts } from '../agents/registry.ts';
export { readUnknownParts } from '../recording/transcript/unknown-parts.ts';
export { type FoundSource, findSources } from './find-sources.ts';
export { findForeignReason } from './foreign-transcript.ts';
export type {
  AgentReport,
  ImportProgress,
  ImportReport,
  TranscriptProblem,
  UnreadSource,
} from './import-report.ts';
export { type ImportOptions, importTranscripts } from './import-transcripts.ts';
