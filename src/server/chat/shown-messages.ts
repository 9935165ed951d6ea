import type { Message } from '../../record/index.ts';
import { byteSize, LARGEST_ANSWER } from '../answer-size.ts';
import type { ShownMessage } from '../rpc/api.ts';

/** Most messages of a snapshot. */
const MOST_MESSAGES = 200;

/** The end of a session. */
export interface LatestMessages {
  readonly messages: readonly ShownMessage[];
  /** So many come before them. */
  readonly earlier: number;
}

/** What a client sees of a message of a chat. */
export function shownMessage({ id, role, content, timestamp, imageRefs, kind }: Message): ShownMessage {
  return {
    id,
    role,
    content,
    timestamp,
    ...(imageRefs === undefined ? {} : { imageRefs }),
    ...(kind === undefined ? {} : { kind }),
  };
}

/**
 * What is left of a session for the eye, in the order in which it was written: all of it, or after a compaction the
 * summary and the messages that were kept.
 */
export function shownMessages(all: readonly Message[]): readonly ShownMessage[] {
  const at = all.findLastIndex(({ kind }) => kind === 'checkpoint');
  const checkpoint = all[at];
  if (checkpoint === undefined) return all.map(shownMessage);
  const kept = all.findIndex(({ id }) => id === checkpoint.keptFrom);
  const rest = all.slice(kept >= 0 ? kept : at + 1).filter(({ kind }) => kind !== 'checkpoint');
  return (checkpoint.content === '' ? rest : [checkpoint, ...rest]).map(shownMessage);
}

/** The latest messages that one answer may hold; the last one always. */
export function latestMessages(all: readonly ShownMessage[], before = 0): LatestMessages {
  let bytes = 0;
  let first = all.length;
  for (let at = all.length - 1; at >= Math.max(0, all.length - MOST_MESSAGES); at--) {
    bytes += byteSize(all[at]);
    if (bytes > LARGEST_ANSWER && at < all.length - 1) break;
    first = at;
  }
  return { messages: all.slice(first), earlier: before + first };
}
