export type { CatchUpOptions, CatchUpReport } from './catch-up.ts';
export type { IndexState } from './index-state.ts';
export { type RecordedSession, SearchIndex } from './search-index.ts';
export { DEFAULT_LIMIT, type SearchQuery } from './search-query.ts';
export type { Match, SearchHit, SearchResult, SessionHits, Snippet } from './search-result.ts';
export type { RecordCounts, SessionFilter, SessionPage } from './sessions.ts';
export type { ProjectSource } from './tracked-files.ts';
