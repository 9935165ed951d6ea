import type { Turn } from '../../turns/turn.ts';

const HEADER = /^\[History Summary - (\d{1,15}) earlier messages?\](?:\n|$)/;
const ACKNOWLEDGEMENT = 'Ok.';

/** A summary as a session holds it: how many messages it stands for, and its text. */
export interface EarlierSummary {
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
export function earlierSummary(turns: readonly Turn[]): EarlierSummary | undefined {
  const [first, second] = turns;
  if (first?.role !== 'user' || second?.role !== 'assistant' || second.content !== ACKNOWLEDGEMENT)
    return undefined;
  const match = HEADER.exec(first.content);
  if (match === null) return undefined;
  return { covers: Number(match[1]), text: first.content.slice(match[0].length).trim(), turns: 2 };
}
