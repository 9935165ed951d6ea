import type { YoreError } from '../../record/index.ts';
import type { Turn } from '../turns/turn.ts';

/** Which way a history was shortened: `none` when it was not. */
export type CompactionCase = 'none' | 'truncate' | 'summarise';

/**
 * What is told of a compaction while it runs. Each start is followed by exactly one of the others. `case: 'none'` is for
 * programs that showed the start and have to take it back; a user need not see it.
 */
export type CompactionEvent =
  | {
      readonly type: 'compaction-start';
      readonly messages: number;
      readonly tokensBefore: number;
      readonly sessionId?: string;
    }
  | {
      readonly type: 'compaction-complete';
      readonly case: CompactionCase;
      /** The history from now on. */
      readonly messages: readonly Turn[];
      readonly removed: number;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      /** What was removed, in short; empty when nothing was. */
      readonly summary: string;
      /** Why the history is still too long, or could not be shortened. */
      readonly problem?: string;
      readonly sessionId?: string;
    }
  | { readonly type: 'compaction-error'; readonly error: YoreError; readonly sessionId?: string };
