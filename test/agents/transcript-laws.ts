import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileSource } from '../../src/agents/transcript/files.ts';
import type { AgentTranscripts, ReadPosition, TranscriptEvent } from '../../src/agents/transcript/transcript.ts';
import { temporaryFolder } from '../temp-folder.ts';

/** Writes a file with these lines, objects as JSON. */
export function linesFile(lines: readonly unknown[], name = 'session.jsonl', folder = temporaryFolder()): string {
  const path = join(folder, name);
  writeFileSync(path, textOfLines(lines));
  return path;
}

/** A home folder, and a function that puts files with these lines into it and returns their paths. */
export function createHome(): { readonly home: string; readonly put: (path: string, content: string) => string } {
  const home = temporaryFolder();
  const put = (path: string, content: string): string => {
    const whole = join(home, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, content);
    return whole;
  };
  return { home, put };
}

/** The paths of the transcripts that are found in a home. */
export function findPaths(transcripts: AgentTranscripts, home: string, env: Record<string, string> = {}): string[] {
  return transcripts.find({ home, env, platform: 'linux', projects: [] }).map(({ path }) => path);
}

/** The text of a file with these lines. */
export function textOfLines(lines: readonly unknown[]): string {
  return lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
}

/** All events of a file from a position on, and the position after them as it is stored. */
export function readFile(
  transcripts: AgentTranscripts,
  path: string,
  position?: ReadPosition,
): { readonly events: readonly TranscriptEvent[]; readonly position: ReadPosition } {
  const source = fileSource(transcripts.agent, path);
  if (!source) throw new Error(`no file ${path}`);
  const reading = transcripts.read(source, position);
  const events = [...reading.events];
  return { events, position: toStored(reading.position()) };
}

/** The events of lines, without skipped parts. */
export function readLines(
  transcripts: AgentTranscripts,
  lines: readonly unknown[],
  folder = temporaryFolder(),
): readonly TranscriptEvent[] {
  const path = linesFile(lines, 'session.jsonl', folder);
  return readFile(transcripts, path).events.filter((event) => event.type !== 'skip');
}

/** The reasons of skipped parts. */
export function skipped(transcripts: AgentTranscripts, lines: readonly unknown[]): readonly string[] {
  return readFile(transcripts, linesFile(lines)).events.flatMap((event) =>
    event.type === 'skip' ? [event.isProblem ? `problem: ${event.reason}` : event.reason] : [],
  );
}

/** The results in events, each with the id of its call. */
export function resultsIn(events: readonly TranscriptEvent[]): readonly unknown[] {
  return events.flatMap((event) => (event.type === 'result' ? [[event.callId, event.result]] : []));
}

/** The texts of the messages in events. */
export function textsIn(events: readonly TranscriptEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === 'message' ? [event.text] : []));
}

/** The messages with a text, each with its kind or role. */
export function messagesIn(events: readonly TranscriptEvent[]): readonly unknown[] {
  return events.flatMap((event) =>
    event.type === 'message' && event.text !== '' ? [[event.kind ?? event.role, event.text]] : [],
  );
}

/** What {@link testTranscriptLaws} reads. */
interface LawExamples {
  /** A session with a bit of everything. */
  readonly lines: readonly unknown[];
  /** The line before any other lines. Default: the first line. */
  readonly header?: unknown;
  /** Malformed lines of this agent, besides those that are malformed for every agent. */
  readonly garbage: readonly unknown[];
  /** Lines that resemble those of the agent. */
  readonly anyLine: fc.Arbitrary<unknown>;
  /** What has to be equal however the file is read, for readers that return an unfinished reply in parts. */
  readonly meaning?: (events: readonly TranscriptEvent[]) => unknown;
}

/** Tests the laws that every reader of an append-only transcript obeys. */
export function testTranscriptLaws(transcripts: AgentTranscripts, examples: LawExamples): void {
  const { lines, header = lines[0], garbage, anyLine, meaning } = examples;
  describe('reading a transcript', () => {
    it('returns the same events while the file grows', () => {
      expectGrowthToBeHarmless(transcripts, lines, meaning);
    });

    it('resumes at the next event wherever it stopped', () => {
      expectStopsToBeHarmless(transcripts, lines);
    });

    it('ignores malformed lines', () => {
      expectGarbageToBeHarmless(transcripts, lines, ['\u0000\u0001', 'null', '[]', '[[[[[[[[', '"x"', '7', ...garbage]);
    });

    it('never fails, whatever is in a line', () => {
      expectNothingToThrow(transcripts, header, anyLine);
    });
  });
}

/**
 * Law: a file that is read while it grows returns the same events as one that is read once, wherever it was cut. `meaning`
 * is what has to be equal, for readers that return an unfinished reply in parts.
 */
function expectGrowthToBeHarmless(
  transcripts: AgentTranscripts,
  lines: readonly unknown[],
  meaning: (events: readonly TranscriptEvent[]) => unknown = (events) => events,
): void {
  const text = Buffer.from(textOfLines(lines));
  const folder = temporaryFolder();
  const whole = readFile(transcripts, linesFile(lines)).events;
  let files = 0;
  fc.assert(
    fc.property(fc.nat({ max: text.length }), fc.nat({ max: text.length }), (one, other) => {
      const path = join(folder, `${files++}.jsonl`);
      const [first, second] = one < other ? [one, other] : [other, one];
      writeFileSync(path, text.subarray(0, first));
      const begun = readFile(transcripts, path);
      appendFileSync(path, text.subarray(first, second));
      const grown = readFile(transcripts, path, begun.position);
      appendFileSync(path, text.subarray(second));
      const ended = readFile(transcripts, path, grown.position);
      expect(meaning([...begun.events, ...grown.events, ...ended.events])).toEqual(meaning(whole));
      expect(JSON.stringify(ended.position).length).toBeLessThan(6000);
    }),
    { numRuns: 60 },
  );
}

/** Law: a reading that stops after any event resumes at the next one. */
function expectStopsToBeHarmless(transcripts: AgentTranscripts, lines: readonly unknown[]): void {
  const path = linesFile(lines);
  const source = fileSource(transcripts.agent, path);
  if (!source) throw new Error(`no file ${path}`);
  const whole = readFile(transcripts, path).events;
  for (let count = 0; count <= whole.length; count++) {
    const reading = transcripts.read(source);
    const begun: TranscriptEvent[] = [];
    const events = reading.events[Symbol.iterator]();
    while (begun.length < count) begun.push(events.next().value);
    const rest = readFile(transcripts, path, toStored(reading.position())).events;
    expect([...begun, ...rest]).toEqual(whole);
  }
}

/** Law: a malformed line is skipped, and nothing else changes. */
function expectGarbageToBeHarmless(
  transcripts: AgentTranscripts,
  lines: readonly unknown[],
  garbage: readonly unknown[],
): void {
  const folder = temporaryFolder();
  const whole = readLines(transcripts, lines);
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(), fc.constantFrom(...garbage)), { maxLength: 6 }), (insertions) => {
      const damaged = [...lines];
      for (const [at, line] of insertions) damaged.splice(1 + (at % lines.length), 0, line);
      expect(readLines(transcripts, damaged, folder)).toEqual(whole);
    }),
    { numRuns: 100 },
  );
}

/** Law: whatever is in a line, reading continues to the end, and all events are well-formed. */
export function expectNothingToThrow(
  transcripts: AgentTranscripts,
  header: unknown,
  line: fc.Arbitrary<unknown>,
): void {
  const folder = temporaryFolder();
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), (lines) => {
      const path = linesFile([header, ...lines], 'session.jsonl', folder);
      for (const event of readFile(transcripts, path).events) expectForm(event);
    }),
    { numRuns: 150 },
  );
}

/** JSON with these keys, separated by spaces, and these words, so that it resembles what an agent writes. */
export function jsonAbout(names: string, words: readonly string[]): fc.Arbitrary<unknown> {
  const leaf = fc.oneof(
    fc.constantFrom(...words),
    fc.constantFrom(null, true, false, 0, -1, 1.5, 1e300, '', '\u0000', 'x'.repeat(500)),
    fc.string(),
  );
  const { node } = fc.letrec<{ node: unknown; leaf: unknown }>((tie) => ({
    leaf,
    node: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...names.split(' '), '__proto__', 'constructor'), tie('node'), { maxKeys: 6 }),
    ),
  }));
  return node;
}

/** The events with the parts of each reply joined: its texts, and its usage wherever it was reported. */
export function joinReplies(events: readonly TranscriptEvent[]): unknown {
  const messages = new Map<string, unknown>();
  const texts = new Map<string, string>();
  const usage: Record<string, number> = {};
  for (const [at, event] of events.entries()) {
    if (event.type !== 'message') continue;
    for (const [key, count] of Object.entries(event.usage ?? {})) usage[key] = (usage[key] ?? 0) + count;
    if (event.text === '' && !event.images && !event.kind) continue;
    const id = event.id?.replace(/:\d+$/, '') ?? `at ${at}`;
    const text = [...(texts.has(id) ? [texts.get(id)] : []), event.text].join('\n\n');
    texts.set(id, text);
    messages.set(id, {
      role: event.role,
      kind: event.kind,
      isSystem: event.isSystem,
      images: event.images,
      text,
    });
  }
  const others = events.filter((event) => event.type !== 'message' && event.type !== 'skip');
  return { messages: [...messages.values()], usage, others };
}

function expectForm(event: TranscriptEvent): void {
  if (event.type === 'skip') {
    // This is how an exception of a line reader is reported.
    expect(event.reason).not.toBe('not of the expected form');
    return;
  }
  expect(event.sessionId).toMatch(/./);
  if (event.type === 'session') return;
  if (event.timestamp !== undefined) expect(new Date(event.timestamp).toISOString()).toBe(event.timestamp);
  if (event.type === 'message') expect(typeof event.text).toBe('string');
  if (event.type === 'call') {
    expect(event.callId).toMatch(/./);
    expect(event.tool).toMatch(/./);
    expect(Object(event.input)).toBe(event.input);
  }
  if (event.type !== 'result') return;
  expect(event.callId).toMatch(/./);
  expect(typeof (event.result.output ?? '')).toBe('string');
  if (event.result.exitCode !== undefined) expect(Number.isSafeInteger(event.result.exitCode)).toBe(true);
}

function toStored(position: ReadPosition): ReadPosition {
  return JSON.parse(JSON.stringify(position)) as ReadPosition;
}
