import { textHash } from '../../record/index.ts';
import { asList, asName, defined, type Fields } from '../transcript/fields.ts';

/** What has to be known to go on in the middle of a session. Plain JSON; ids and texts only as short hashes. */
export interface ReaderState {
  readonly sessionId?: string;
  /** Messages, oldest first: the hash of the id, and a digit for what was told of it. */
  readonly messages: readonly string[];
  /** What was said lately, to know it again when it comes under another id. */
  readonly texts: readonly string[];
  /** The summary that was told last. */
  readonly summary?: string;
  /** Calls without a result. */
  readonly open: readonly string[];
  /** Calls with one. */
  readonly ended: readonly string[];
}

/** What was told of a message: its lines may bring its text, its cost and its calls one after the other. */
export interface Told {
  readonly text: boolean;
  readonly usage: boolean;
}

/** At the beginning of a file. */
export const NOTHING_READ: ReaderState = { messages: [], texts: [], open: [], ended: [] };

/** So much is remembered of each kind: the position has to stay small. */
export const MOST_REMEMBERED = 120;
const HASH_LENGTH = 8;
/** In characters. */
const HASHED_END = 64;

/** A few characters that stand for a text; of a long one, for its length and its ends. */
export function shortHash(text: string): string {
  const key =
    text.length <= 2 * HASHED_END
      ? text
      : `${text.length} ${text.slice(0, HASHED_END)}${text.slice(-HASHED_END)}`;
  return textHash(key).toString(36).padStart(HASH_LENGTH, '0').slice(-HASH_LENGTH);
}

/** A list with one more at its end, without the oldest where it grows too long. */
export function remembering(list: readonly string[], item: string): readonly string[] {
  return [...list.slice(1 - MOST_REMEMBERED), item];
}

/** What was told of a message; undefined when it is new. */
export function toldOf(state: ReaderState, id: string): Told | undefined {
  const hash = shortHash(id);
  const known = state.messages.findLast((message) => message.startsWith(hash));
  const bits = known === undefined ? undefined : Number(known.slice(HASH_LENGTH));
  return bits === undefined ? undefined : { text: (bits & 1) !== 0, usage: (bits & 2) !== 0 };
}

/** The messages, with what was told of this one. */
export function telling(state: ReaderState, id: string, told: Told): readonly string[] {
  const hash = shortHash(id);
  const others = state.messages.filter((message) => !message.startsWith(hash));
  return remembering(others, `${hash}${(told.text ? 1 : 0) + (told.usage ? 2 : 0)}`);
}

/** The state in a position that was kept; what does not fit is left out. */
export function asReaderState(fields: Fields): ReaderState {
  const names = (value: unknown) => asList(value).flatMap((name) => asName(name) ?? []);
  return {
    ...defined({ sessionId: asName(fields.sessionId), summary: asName(fields.summary) }),
    messages: names(fields.messages),
    texts: names(fields.texts),
    open: names(fields.open),
    ended: names(fields.ended),
  };
}
