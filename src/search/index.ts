export type { CatchUpOptions, CatchUpReport } from './index/catch-up.ts';
export type { ChangeRecord, FileFilter, FileList, FileOrder, TouchedFile } from './index/file-rows.ts';
export type { IndexState } from './index/pending-changes.ts';
export type { ProjectCounts, SessionFacets } from './index/session-counts.ts';
export type { RecordCounts, SessionFilter, SessionPage } from './index/sessions.ts';
export type { ProjectSource } from './index/tracked-files.ts';
export type { UsageFilter, UsageRows } from './index/usage-rows.ts';
export type { PendingText, VectorCounts, VectorModel } from './index/vectors.ts';
export { type RecordedSession, SearchIndex } from './search-index.ts';
export { listMissing } from './search-result.ts';
export {
  DEFAULT_LIMIT,
  type Match,
  type QuestionVector,
  type SearchHit,
  type SearchQuery,
  type SearchResult,
  type SessionHits,
  type Snippet,
} from './search-types.ts';
