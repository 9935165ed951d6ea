import type { Message } from '../../record/index.ts';
import type { ShownMessage } from '../rpc/api.ts';

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
