export type { CatchUpOptions, CatchUpReport } from '../store/catch-up.ts';
export type { FileList, FileOfSessions, FileOrder } from '../store/file-rows.ts';
export type { IndexState } from '../store/pending-changes.ts';
export type { ActivityCounts, RecordCounts, SessionFacets } from '../store/session-counts.ts';
export type { SessionFilter, SessionPage } from '../store/sessions.ts';
export type { ProjectSource } from '../store/tracked-files.ts';
export { splitFilters, type TypedFilter } from './query/typed-filters.ts';
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
