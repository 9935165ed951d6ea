import type { YoreError } from '../../record/index.ts';
import type { Turn } from '../turns/turn-list.ts';
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

/**
 * The history after a compaction. Turns that were added since it was made stay at the end. A history that is not the one
 * it was made of (replaced or cleared meanwhile), and `none`, give a copy of the turns as they are.
 */
export function applyCompaction(turns: readonly Turn[], compaction: Compaction): Turn[] {
  if (compaction.case === 'none' || !isMadeOf(turns, compaction)) return [...turns];
  const kept = turns.slice(compaction.removed);
  return compaction.case === 'truncate'
    ? kept
    : [...summaryPair(compaction.summary, compaction.covers), ...kept];
}

function isMadeOf(
  turns: readonly Turn[],
  compaction: Exclude<Compaction, { readonly case: 'none' }>,
): boolean {
  const first = compaction.turns[compaction.case === 'truncate' ? 0 : 2];
  const here = turns[compaction.removed];
  return (
    first !== undefined && here !== undefined && first.role === here.role && first.content === here.content
  );
}

const HEADER = /^\[History Summary - (\d{1,15}) earlier messages?\](?:\n|$)/;
const ACKNOWLEDGEMENT = 'Ok.';

/** A summary as a session holds it: how many messages it stands for, and its text. */
export interface HistorySummary {
  readonly covers: number;
  readonly text: string;
  /** How many turns it takes. */
  readonly turns: number;
}

/** The first line of a summary that stands for `covers` messages. */
export function summaryHeader(covers: number): string {
  return `[History Summary - ${covers} earlier ${covers === 1 ? 'message' : 'messages'}]`;
}

/** The turns that take the place of `covers` messages. */
export function summaryPair(text: string, covers: number): [Turn, Turn] {
  return [
    { role: 'user', content: text === '' ? summaryHeader(covers) : `${summaryHeader(covers)}\n${text}` },
    { role: 'assistant', content: ACKNOWLEDGEMENT },
  ];
}

/** The summary with which a history begins, if it was compacted before. */
export function findHistorySummary(turns: readonly Turn[]): HistorySummary | undefined {
  const [first, second] = turns;
  if (first?.role !== 'user' || second?.role !== 'assistant' || second.content !== ACKNOWLEDGEMENT)
    return undefined;
  const match = HEADER.exec(first.content);
  if (match === null) return undefined;
  return { covers: Number(match[1]), text: first.content.slice(match[0].length).trim(), turns: 2 };
}
