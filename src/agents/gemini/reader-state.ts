import { textHash } from '../../record/index.ts';
import { asFields, asList, asName, asText, defined, type Fields } from '../transcript/fields.ts';
import type { TranscriptImage } from '../transcript/transcript-event.ts';

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
interface Told {
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

/** Content as Gemini keeps it, a text, a part or a list of them, taken apart by kind. Thoughts are left out. */
interface GeminiParts {
  readonly texts: readonly string[];
  readonly images: readonly TranscriptImage[];
  readonly calls: readonly Fields[];
  readonly responses: readonly Fields[];
}

/** Takes content apart. What is no content has no parts. */
export function geminiParts(content: unknown): GeminiParts {
  const texts: string[] = [];
  const images: TranscriptImage[] = [];
  const calls: Fields[] = [];
  const responses: Fields[] = [];
  for (const item of Array.isArray(content) ? asList(content) : [content]) {
    if (typeof item === 'string') texts.push(item);
    const part = asFields(item);
    if (!part || part.thought === true) continue;
    const text = asText(part.text);
    const call = asFields(part.functionCall);
    const response = asFields(part.functionResponse);
    if (text !== undefined) texts.push(text);
    if (call) calls.push(call);
    if (response) responses.push(response);
    images.push(...imageOf(asFields(part.inlineData)));
  }
  return { texts: texts.filter((text) => text !== ''), images, calls, responses };
}

function imageOf(data: Fields | undefined): readonly TranscriptImage[] {
  const base64 = asText(data?.data);
  const mediaType = asName(data?.mimeType);
  return base64 && mediaType?.startsWith('image/') ? [{ mediaType, base64 }] : [];
}

/** What is in the texts of a user's turn. */
type UserWords =
  | { readonly kind: 'typed'; readonly text: string }
  /** The summary that takes the place of what was compressed. */
  | { readonly kind: 'summary'; readonly text: string }
  | { readonly kind: 'command' | 'injected' };

const SUMMARY = '<state_snapshot>';
const SUMMARY_END = '</state_snapshot>';
/** How parts begin that Gemini CLI puts into the user's turn. */
const INJECTED = [
  '<session_context>',
  '<hook_context>',
  '<loaded_context>',
  'This is the Gemini CLI. We are setting up the context',
  'I ran the following shell command:',
  'System: Please continue',
  'System: Potential loop detected',
];
const FILES_BEGIN = /^\s*---\s*Content from referenced files\s*---/;
const FILES_END = /^\s*---\s*End of content\s*---/;
/** `/clear`, `/git:commit fix`; not a path such as `/etc/hosts is wrong`. */
const COMMAND = /^(?:\/[a-z][\w:.-]*(?=\s|$)|\?$)/i;

/** Tells what the user typed from what was put beside it: the session's context, a hook's, the files that were named. */
export function userWords(texts: readonly string[]): UserWords {
  const summary = texts.find((text) => text.trimStart().startsWith(SUMMARY));
  if (summary !== undefined) return { kind: 'summary', text: summarised(summary) };
  const typed: string[] = [];
  let isInFiles = false;
  for (const text of texts) {
    if (FILES_BEGIN.test(text)) isInFiles = true;
    if (!isInFiles && !isInjected(text)) typed.push(text);
    if (FILES_END.test(text)) isInFiles = false;
  }
  const text = typed.join('\n').trim();
  if (text === '') return { kind: 'injected' };
  return COMMAND.test(text) ? { kind: 'command' } : { kind: 'typed', text };
}

function summarised(text: string): string {
  const end = text.lastIndexOf(SUMMARY_END);
  return text.slice(text.indexOf(SUMMARY) + SUMMARY.length, end < 0 ? text.length : end).trim();
}

function isInjected(text: string): boolean {
  const opening = text.slice(0, 200).trimStart();
  return INJECTED.some((known) => opening.startsWith(known));
}
