import type { Message, Usage } from '../record/index.ts';

/** The kinds of tokens that add up to all that were used. */
export const TOKEN_KINDS = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'] as const;
/** All that is added up of the usage of replies. */
export const USAGE_COUNTS: readonly (keyof Usage)[] = [...TOKEN_KINDS, 'cacheHourTokens', 'incompleteReplies'];

/** What a reply used, and of which model. */
export interface ReplyUsage {
  /** Empty when the agent does not say. */
  readonly model: string;
  readonly counts: Required<Usage>;
}

/**
 * What a message counts for in sums of usage; undefined for one without a reported usage. Messages from transcripts that
 * are not the user's own do not count: somebody else paid for them.
 */
export function replyUsage({ usage, model = '', foreign }: Message): ReplyUsage | undefined {
  if (usage === undefined || foreign) return undefined;
  const counts = {
    inputTokens: toCount(usage.inputTokens),
    outputTokens: toCount(usage.outputTokens),
    cacheReadTokens: toCount(usage.cacheReadTokens),
    cacheWriteTokens: toCount(usage.cacheWriteTokens),
    cacheHourTokens: toCount(usage.cacheHourTokens),
    incompleteReplies: toCount(usage.incompleteReplies),
  };
  return TOKEN_KINDS.some((kind) => counts[kind] > 0) ? { model, counts } : undefined;
}

function toCount(tokens: number | undefined): number {
  return tokens !== undefined && Number.isFinite(tokens) && tokens > 0 ? Math.round(tokens) : 0;
}

/** The user or the agent was away when nothing was recorded for longer than this. */
const MAX_PAUSE_MS = 10 * 60_000;
const HOUR_MS = 3_600_000;

/** The hour of a time, counted from 1970. */
export function hourOf(time: number): number {
  return Math.floor(time / HOUR_MS);
}

/**
 * The active time of a session by hour, in milliseconds: the time between its records, without pauses of more than ten
 * minutes. `times` are those of its records in ascending order.
 */
export function activeByHour(times: Iterable<number>): ReadonlyMap<number, number> {
  const hours = new Map<number, number>();
  let last: number | undefined;
  for (const time of times) {
    const passed = last === undefined ? 0 : time - last;
    if (passed > 0 && passed <= MAX_PAUSE_MS) hours.set(hourOf(time), (hours.get(hourOf(time)) ?? 0) + passed);
    last = time;
  }
  return hours;
}
