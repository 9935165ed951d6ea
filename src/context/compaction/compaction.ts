import type { Turn } from '../turns/turn.ts';
import type { TopicBoundary } from './topic-boundary.ts';

/** What came of a compaction. */
export type Compaction =
  /** Nothing was removed; `problem` says why, where something should have been. */
  | { readonly case: 'none'; readonly problem?: string }
  | {
      readonly case: 'truncate' | 'summarise';
      /** The history from now on: a tail of the turns there were; after a summary pair in the case `summarise`. */
      readonly turns: readonly Turn[];
      /** How many of the first turns are no longer there, an earlier summary pair included. */
      readonly removed: number;
      /** How many messages `summary` stands for, those behind an earlier summary included. */
      readonly covers: number;
      readonly boundary: TopicBoundary;
      /** What was removed, in short. In the case `truncate` it is told and not part of the history. */
      readonly summary: string;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      readonly underTrigger: boolean;
      /** Why the history is still above the trigger. */
      readonly problem?: string;
    };
