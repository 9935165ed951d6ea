import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { storageError } from '../../files/index.ts';
import { textHash } from '../../record/index.ts';
import {
  asCount,
  asFields,
  asList,
  asName,
  asObjects,
  asText,
  asTime,
  defined,
  type Fields,
} from '../transcript/fields.ts';
import { fileHead, fileSource } from '../transcript/files.ts';
import { problem, type TranscriptEvent } from '../transcript/transcript-event.ts';
import type {
  AgentTranscripts,
  ReadPosition,
  TranscriptReading,
  TranscriptSource,
} from '../transcript/transcript-source.ts';

/**
 * The prompt history of M31A: `~/.m31a/history.json`, one document with what was typed and when it was used last. A
 * session is a day. A prompt that is used again counts again.
 */
export const m31aTranscripts: AgentTranscripts = {
  agent: 'm31a',
  find: ({ home }) => [fileSource('m31a', join(home, '.m31a', 'history.json')) ?? []].flat(),
  recognises: (path) => {
    if (basename(path) !== 'history.json') return false;
    const head = fileHead(path);
    return /^\s*[[{]/.test(head) && head.includes('"text"') && head.includes('"last_used"');
  },
  read: (source, position) => new PromptReading(source, position),
};

/** A prompt and when it was used last, in milliseconds. */
interface Prompt {
  readonly text: string;
  readonly time: number;
}

const LARGEST_DOCUMENT = 64 * 1024 * 1024;
const TOO_LARGE = problem('document of more than 64 MB');
const NO_HISTORY = problem('not a prompt history');
const NO_PROMPT = problem('prompt without text or time');

class PromptReading implements TranscriptReading {
  readonly isResumed: boolean;
  readonly events: Iterable<TranscriptEvent>;
  readonly #source: TranscriptSource;
  /** What was used up to this time was handed out; of what was used at that very time, these. */
  #until: number;
  #at: readonly number[];
  /** The session told last. */
  #sessionId: string | undefined;
  #bytesRead = 0;
  #linesRead = 0;

  constructor(source: TranscriptSource, position: ReadPosition | undefined) {
    this.#source = source;
    const until = asCount(position?.until);
    this.#until = until ?? -1;
    this.#at = asList(position?.at).flatMap((hash) => asCount(hash) ?? []);
    this.#sessionId = asName(position?.sessionId);
    this.isResumed = until !== undefined || this.#sessionId !== undefined;
    this.events = this.#read();
  }

  position(): ReadPosition {
    const until = this.#until < 0 ? undefined : this.#until;
    return defined({ until, at: this.#at, sessionId: this.#sessionId });
  }

  bytesRead(): number {
    return this.#bytesRead;
  }

  linesRead(): number {
    return this.#linesRead;
  }

  *#read(): Generator<TranscriptEvent> {
    if (this.#source.size > LARGEST_DOCUMENT) {
      yield TOO_LARGE;
      return;
    }
    const entries = entriesIn(textOf(this.#source.path));
    if (!entries) {
      yield NO_HISTORY;
      return;
    }
    const prompts = entries.flatMap((entry) => promptOf(entry) ?? []).sort((a, b) => a.time - b.time);
    for (let bad = prompts.length; bad < entries.length; bad++) yield NO_PROMPT;
    for (const prompt of prompts) yield* this.#give(prompt);
    this.#bytesRead = this.#source.size;
  }

  *#give({ text, time }: Prompt): Generator<TranscriptEvent> {
    this.#linesRead++;
    const hash = textHash(text);
    if (time < this.#until || (time === this.#until && this.#at.includes(hash))) return;
    const timestamp = new Date(time).toISOString();
    const sessionId = `m31a-${timestamp.slice(0, 10)}`;
    if (sessionId !== this.#sessionId) {
      this.#sessionId = sessionId;
      yield { type: 'session', sessionId };
    }
    this.#at = time === this.#until ? [...this.#at, hash] : [hash];
    this.#until = time;
    yield { type: 'message', sessionId, id: `${time}-${hash.toString(36)}`, timestamp, role: 'user', text };
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw storageError('read', path, error);
  }
}

function entriesIn(text: string): readonly Fields[] | undefined {
  try {
    const document: unknown = JSON.parse(text);
    const entries = Array.isArray(document) ? document : asFields(document)?.entries;
    return Array.isArray(entries) ? asObjects(entries) : undefined;
  } catch {
    return undefined;
  }
}

function promptOf(entry: Fields): Prompt | undefined {
  const text = asText(entry.text)?.trim();
  const time = asTime(entry.last_used);
  return text && time !== undefined ? { text, time: Date.parse(time) } : undefined;
}
