import { omitUndefined, textHash } from '../../record/index.ts';
import { asList, asName, type Fields } from '../transcript/fields.ts';

/** What is needed to continue in the middle of a session. Plain JSON; ids and texts are kept as short hashes. */
export interface ReaderState {
  readonly sessionId?: string;
  /** Messages, oldest first: the hash of the id, and a digit for which parts of it were reported. */
  readonly messages: readonly string[];
  /** Recent texts, to recognise them when they come under another id. */
  readonly texts: readonly string[];
  /** The last summary that was reported. */
  readonly summary?: string;
  /** Calls without a result. */
  readonly open: readonly string[];
  /** Calls with a result. */
  readonly ended: readonly string[];
}

/** Which parts of a message were reported: its lines may bring its text, its usage and its calls one after the other. */
interface ReportedParts {
  readonly text: boolean;
  readonly usage: boolean;
}

/** The state at the beginning of a file. */
export const INITIAL_STATE: ReaderState = { messages: [], texts: [], open: [], ended: [] };

/** How many items of each kind are remembered: the position has to stay small. */
export const MAX_REMEMBERED = 120;
const HASH_LENGTH = 8;
/** In characters. */
const HASHED_END = 64;

/** A short hash of a text; for a long one, of its length and its ends. */
export function shortHash(text: string): string {
  const key =
    text.length <= 2 * HASHED_END
      ? text
      : `${text.length} ${text.slice(0, HASHED_END)}${text.slice(-HASHED_END)}`;
  return textHash(key).toString(36).padStart(HASH_LENGTH, '0').slice(-HASH_LENGTH);
}

/** The list with one more item; the oldest goes when it gets too long. */
export function appendRecent(list: readonly string[], item: string): readonly string[] {
  return [...list.slice(1 - MAX_REMEMBERED), item];
}

/** Which parts of a message were reported; undefined when it is new. */
export function findReported(state: ReaderState, id: string): ReportedParts | undefined {
  const hash = shortHash(id);
  const known = state.messages.findLast((message) => message.startsWith(hash));
  const bits = known === undefined ? undefined : Number(known.slice(HASH_LENGTH));
  return bits === undefined ? undefined : { text: (bits & 1) !== 0, usage: (bits & 2) !== 0 };
}

/** The messages of a state, with the reported parts of this one. */
export function markReported(state: ReaderState, id: string, parts: ReportedParts): readonly string[] {
  const hash = shortHash(id);
  const others = state.messages.filter((message) => !message.startsWith(hash));
  return appendRecent(others, `${hash}${(parts.text ? 1 : 0) + (parts.usage ? 2 : 0)}`);
}

/** Parses a stored state; malformed parts are dropped. */
export function parseState(fields: Fields): ReaderState {
  const names = (value: unknown) => asList(value).flatMap((name) => asName(name) ?? []);
  return {
    ...omitUndefined({ sessionId: asName(fields.sessionId), summary: asName(fields.summary) }),
    messages: names(fields.messages),
    texts: names(fields.texts),
    open: names(fields.open),
    ended: names(fields.ended),
  };
}
