import type { YoreError } from '../../record/index.ts';
import type { Turn } from '../message.ts';
import type { TopicBoundary } from './topic-boundary.ts';

/** How a history was shortened: `none` when it was not. */
export type CompactionCase = 'none' | 'truncate' | 'summarise';

/** The result of a compaction. */
export type Compaction =
  /** Nothing was removed; `problem` says why if something should have been. */
  | { readonly case: 'none'; readonly problem?: string }
  | {
      readonly case: 'truncate' | 'summarise';
      /** The new history: the newest turns, preceded by a summary pair in the case `summarise`. */
      readonly turns: readonly Turn[];
      /** How many of the oldest turns were removed, including an earlier summary pair. */
      readonly removed: number;
      /** How many messages `summary` stands for, including those behind an earlier summary. */
      readonly covers: number;
      readonly boundary: TopicBoundary;
      /** A summary of what was removed. In the case `truncate` it is reported but not part of the history. */
      readonly summary: string;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      readonly underTrigger: boolean;
      /** Why the history is still above the trigger. */
      readonly problem?: string;
    };

/**
 * Emitted while a compaction runs. Each start is followed by exactly one of the others. `case: 'none'` lets programs that
 * showed the start take it back; users need not see it.
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
      /** The new history. */
      readonly messages: readonly Turn[];
      readonly removed: number;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      /** A summary of what was removed; empty when nothing was. */
      readonly summary: string;
      /** Why the history is still too long or could not be shortened. */
      readonly problem?: string;
      readonly sessionId?: string;
    }
  | { readonly type: 'compaction-error'; readonly error: YoreError; readonly sessionId?: string };

/**
 * Applies a compaction to a history. Turns that were added since it was computed stay at the end. `none`, and a compaction
 * of another history (replaced or cleared meanwhile), leave the turns as they are. Returns a new array.
 */
export function applyCompaction(turns: readonly Turn[], compaction: Compaction): Turn[] {
  if (compaction.case === 'none') return [...turns];
  const isTruncation = compaction.case === 'truncate';
  const expected = compaction.turns[isTruncation ? 0 : 2];
  const found = turns[compaction.removed];
  const isSameHistory = expected !== undefined && expected.role === found?.role && expected.content === found.content;
  if (!isSameHistory) return [...turns];
  const kept = turns.slice(compaction.removed);
  return isTruncation ? kept : [...summaryPair(compaction.summary, compaction.covers), ...kept];
}

/** How the first message of a summary pair begins. */
export const SUMMARY_TITLE = '[History Summary';
const SUMMARY_HEADER = /^\[History Summary - (\d{1,15}) earlier messages?\](?:\n|$)/;
const ACKNOWLEDGEMENT = 'Ok.';

/** A summary that a history begins with. */
export interface HistorySummary {
  /** How many messages it stands for. */
  readonly covers: number;
  readonly text: string;
  /** How many turns it takes. */
  readonly turns: number;
}

/** The first line of a summary that stands for `covers` messages. */
export function summaryHeader(covers: number): string {
  return `${SUMMARY_TITLE} - ${covers} earlier ${covers === 1 ? 'message' : 'messages'}]`;
}

/** The two turns that replace `covers` messages: the summary and its acknowledgement. */
export function summaryPair(text: string, covers: number): [Turn, Turn] {
  return [
    { role: 'user', content: text === '' ? summaryHeader(covers) : `${summaryHeader(covers)}\n\n${text}` },
    { role: 'assistant', content: ACKNOWLEDGEMENT },
  ];
}

/** Finds the summary pair at the beginning of a history that was compacted before. */
export function findHistorySummary(turns: readonly Turn[]): HistorySummary | undefined {
  const [first, second] = turns;
  if (first?.role !== 'user' || second?.role !== 'assistant' || second.content !== ACKNOWLEDGEMENT) return undefined;
  const match = SUMMARY_HEADER.exec(first.content);
  if (match === null) return undefined;
  return { covers: Number(match[1]), text: first.content.slice(match[0].length).trim(), turns: 2 };
}
