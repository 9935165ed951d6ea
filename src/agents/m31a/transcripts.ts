import { basename, join } from 'node:path';
import { textHash } from '../../record/id.ts';
import { omitUndefined } from '../../record/object.ts';
import { asCount, asFields, asList, asName, asObjects, asText, asTime, type Fields } from '../transcript/fields.ts';
import { fileSource, readJsonFile, readJsonFileIfValid } from '../transcript/files.ts';
import {
  type AgentTranscripts,
  problem,
  type ReadPosition,
  type TranscriptEvent,
  type TranscriptReading,
  type TranscriptSource,
} from '../transcript/transcript.ts';

/**
 * The prompt history of M31A: `~/.m31a/history.json`, one document with prompts and when each was last used. A day counts
 * as a session. A prompt that is used again is reported again.
 */
export const m31aTranscripts: AgentTranscripts = {
  agent: 'm31a',
  find: ({ home }) => [fileSource('m31a', join(home, '.m31a', 'history.json')) ?? []].flat(),
  recognises: (path) => {
    if (basename(path) !== 'history.json') return false;
    const [first] = asObjects(listEntries(readJsonFileIfValid(path)) ?? []);
    return first !== undefined && 'text' in first && 'last_used' in first;
  },
  read: (source, position) => new PromptReading(source, position),
};

/** A prompt, when it was last used, in epoch milliseconds, and how often. */
interface Prompt {
  readonly text: string;
  readonly time: number;
  readonly uses: number | undefined;
}

/** The prompts in a document; undefined if it has none. */
function listEntries(content: unknown): readonly unknown[] | undefined {
  const list = Array.isArray(content) ? content : asFields(content)?.entries;
  return Array.isArray(list) ? list : undefined;
}

const NO_HISTORY = problem('not a prompt history');
const NO_PROMPT = problem('prompt without text or time');

class PromptReading implements TranscriptReading {
  readonly isResumed: boolean;
  readonly events: Iterable<TranscriptEvent>;
  bytesRead = 0;
  linesRead = 0;
  readonly #source: TranscriptSource;
  /** Prompts used before this time have been returned, and of those used at this very time the ones in `#at`. */
  #until: number;
  #at: readonly number[];
  /** The last session that was returned. */
  #sessionId: string | undefined;

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
    return omitUndefined({ until, at: this.#at, sessionId: this.#sessionId });
  }

  *#read(): Generator<TranscriptEvent> {
    const content = readJsonFile(this.#source.path);
    const list = listEntries(content);
    if (list === undefined) return yield typeof content === 'string' ? problem(content) : NO_HISTORY;
    const entries = asObjects(list);
    const prompts = entries.flatMap((entry) => parsePrompt(entry) ?? []).sort((a, b) => a.time - b.time);
    for (let bad = prompts.length; bad < entries.length; bad++) yield NO_PROMPT;
    for (const prompt of prompts) yield* this.#return(prompt);
    this.bytesRead = this.#source.size;
  }

  *#return({ text, time, uses }: Prompt): Generator<TranscriptEvent> {
    this.linesRead++;
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
    const id = `${time}-${hash.toString(36)}`;
    yield { type: 'message', sessionId, id, timestamp, role: 'user', text, ...omitUndefined({ uses }) };
  }
}

function parsePrompt(entry: Fields): Prompt | undefined {
  const text = asText(entry.text)?.trim();
  const time = asTime(entry.last_used);
  const uses = asCount(entry.use_count);
  return text && time !== undefined ? { text, time: Date.parse(time), uses } : undefined;
}
