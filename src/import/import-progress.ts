/** How far an import is. */
export interface ImportProgress {
  /** `reading` transcripts, `learning` from what is new in projects, `indexing` it. */
  readonly phase: 'reading' | 'learning' | 'indexing';
  /** Bytes, or projects when learning. */
  readonly done: number;
  readonly total: number;
}
