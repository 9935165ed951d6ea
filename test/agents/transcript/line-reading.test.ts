import { appendFileSync, closeSync, ftruncateSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { asText, type Fields } from '../../../src/agents/transcript/fields.ts';
import { type LineReader, readJsonLines } from '../../../src/agents/transcript/line-reading.ts';
import type { ReadPosition, TranscriptEvent, TranscriptReading } from '../../../src/agents/transcript/transcript.ts';
import { temporaryFolder } from '../../temp-folder.ts';

/** Joins words up to a full stop into a message; counts them in its state. */
class Sentences implements LineReader {
  #count: number;
  #words: string[] = [];

  constructor(state: Fields | undefined) {
    this.#count = Number(state?.count ?? 0);
  }

  skipReason(head: string): string | undefined {
    return head.startsWith('{"noise"') ? 'noise' : undefined;
  }

  *read(fields: Fields): Iterable<TranscriptEvent> {
    if (fields.bad === true) throw new TypeError('cannot be read');
    const word = asText(fields.word) ?? '';
    this.#words.push(word);
    if (word.endsWith('.')) yield* this.finish();
  }

  isOpen(): boolean {
    return this.#words.length > 0;
  }

  *finish(): Iterable<TranscriptEvent> {
    const text = this.#words.join(' ');
    this.#words = [];
    this.#count++;
    yield { type: 'message', sessionId: 's', id: String(this.#count), role: 'user', text };
  }

  state(): Fields {
    return { count: this.#count };
  }
}

function read(path: string, position?: ReadPosition): TranscriptReading {
  const source = { agent: 'pi', path, size: 0, stamp: '' } as const;
  return readJsonLines(source, position, (state) => new Sentences(state));
}

function texts(reading: TranscriptReading): readonly string[] {
  return [...reading.events].map((event) => {
    if (event.type === 'message') return `${event.id} ${event.text}`;
    return event.type === 'skip' ? `skip ${event.reason}${event.isProblem ? '!' : ''}` : event.type;
  });
}

function words(...list: readonly string[]): string {
  return list.map((word) => `${JSON.stringify({ word })}\n`).join('');
}

describe('reading JSON lines', () => {
  it('resumes with the state of the reader', () => {
    const path = join(temporaryFolder(), 'a.jsonl');
    writeFileSync(path, words('one', 'two.', 'three.'));
    const first = read(path);
    expect(texts(first)).toEqual(['1 one two.', '2 three.']);
    expect(first.isResumed).toBe(false);
    appendFileSync(path, words('four.'));
    const second = read(path, first.position());
    expect(texts(second)).toEqual(['3 four.']);
    expect(second.isResumed).toBe(true);
    expect(second.linesRead).toBe(1);
    expect(second.bytesRead).toBe(words('one', 'two.', 'three.', 'four.').length);
  });

  it('reads nothing when nothing is new', () => {
    const path = join(temporaryFolder(), 'a.jsonl');
    writeFileSync(path, words('one.'));
    const first = read(path);
    texts(first);
    expect(texts(read(path, first.position()))).toEqual([]);
  });

  it('leaves an incomplete last line for the next time', () => {
    const path = join(temporaryFolder(), 'a.jsonl');
    writeFileSync(path, `${words('one.')}{"word":"tw`);
    const first = read(path);
    expect(texts(first)).toEqual(['1 one.']);
    appendFileSync(path, 'o."}\n');
    expect(texts(read(path, first.position()))).toEqual(['2 two.']);
  });

  it('reads a complete last line without a line break once', () => {
    const path = join(temporaryFolder(), 'a.jsonl');
    writeFileSync(path, words('one.', 'two.').trimEnd());
    const first = read(path);
    expect(texts(first)).toEqual(['1 one.', '2 two.']);
    appendFileSync(path, `\n${words('three.')}`);
    expect(texts(read(path, first.position()))).toEqual(['3 three.']);
  });

  it('returns what is open at the end of the file, and what follows separately', () => {
    const path = join(temporaryFolder(), 'a.jsonl');
    writeFileSync(path, words('one', 'two'));
    const first = read(path);
    expect(texts(first)).toEqual(['1 one two']);
    appendFileSync(path, words('three.'));
    expect(texts(read(path, first.position()))).toEqual(['2 three.']);
  });

  it('resumes before what was open when reading stopped', () => {
    const path = join(temporaryFolder(), 'a.jsonl');
    writeFileSync(path, `${words('one.', 'two')}nonsense\n${words('three.')}`);
    const first = read(path);
    const iterator = first.events[Symbol.iterator]();
    iterator.next();
    iterator.next();
    const position = first.position();
    expect(texts(read(path, position))).toEqual(['2 two three.']);
  });

  it('starts over when the file shrank or was replaced', () => {
    const path = join(temporaryFolder(), 'a.jsonl');
    writeFileSync(path, words('one.', 'two.'));
    const first = read(path);
    texts(first);
    writeFileSync(path, words('six.'));
    const shrunk = read(path, first.position());
    expect(shrunk.isResumed).toBe(false);
    expect(texts(shrunk)).toEqual(['1 six.']);
    writeFileSync(path, words('seven.', 'eight.', 'nine.'));
    expect(texts(read(path, first.position()))).toEqual(['1 seven.', '2 eight.', '3 nine.']);
  });

  it('starts over for a malformed position', () => {
    const path = join(temporaryFolder(), 'a.jsonl');
    writeFileSync(path, words('one.'));
    for (const position of [
      { offset: -1 },
      { offset: '7' },
      { offset: 5, beginningBytes: 5, beginning: 1 },
      { x: 1 },
    ]) {
      expect(texts(read(path, position))).toEqual(['1 one.']);
    }
  });

  it('reports a bad line and continues', () => {
    const path = join(temporaryFolder(), 'a.jsonl');
    writeFileSync(path, `not json\n[1]\n{"bad":true}\n\0\0\0\n\n  \r\n{"noise":"${'x'.repeat(9)}\n${words('one.')}`);
    expect(texts(read(path))).toEqual([
      'skip not a JSON object!',
      'skip not a JSON object!',
      'skip not of the expected form!',
      'skip not a JSON object!',
      'skip noise',
      '1 one.',
    ]);
  });

  it('accepts a byte order mark and Windows line endings', () => {
    const path = join(temporaryFolder(), 'a.jsonl');
    writeFileSync(path, `\ufeff${words('één.', 'zwei.').replaceAll('\n', '\r\n')}`);
    expect(texts(read(path))).toEqual(['1 één.', '2 zwei.']);
  });

  it('skips a line of more than 64 MB without loading it', () => {
    const path = join(temporaryFolder(), 'a.jsonl');
    const descriptor = openSync(path, 'w');
    ftruncateSync(descriptor, 65 * 1024 * 1024);
    writeSync(descriptor, `\n${words('one.')}`, 65 * 1024 * 1024);
    closeSync(descriptor);
    expect(texts(read(path))).toEqual(['skip line of more than 64 MB!', '1 one.']);
  });

  it('names the file that cannot be read', () => {
    const path = join(temporaryFolder(), 'missing.jsonl');
    expect(() => texts(read(path))).toThrow(
      expect.objectContaining({ code: 'STORAGE', message: expect.stringContaining(path) }),
    );
  });
});
