import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentTranscripts, TranscriptEvent } from '../../../src/agents/transcript/transcript.ts';
import { loadConfig } from '../../../src/config/index.ts';
import { buildAttempt } from '../../../src/facts/attempt/build-attempt.ts';
import type { CallResult } from '../../../src/facts/call/tool-call.ts';
import { appendRecord } from '../../../src/log/index.ts';
import { YoreError } from '../../../src/record/index.ts';
import { importTail, type TailOptions } from '../../../src/recording/transcript/import-tail.ts';
import { readUnknownParts } from '../../../src/recording/transcript/unknown-parts.ts';
import { temporaryFolder } from '../../temp-folder.ts';
import { eventTranscripts, linesOf, recordsIn } from './event-transcripts.ts';

const SESSION: TranscriptEvent = { type: 'session', sessionId: 's1', cwd: '/work/app' };

function at(second: number): string {
  return new Date(Date.parse('2026-03-02T09:00:00.000Z') + second * 1000).toISOString();
}

function prompt(number: number, text = `prompt ${number}`): TranscriptEvent {
  return { type: 'message', sessionId: 's1', id: `m${number}`, timestamp: at(number), role: 'user', text };
}

function setUp(more: Partial<TailOptions> = {}) {
  const folder = temporaryFolder();
  const options: TailOptions = {
    home: join(folder, 'home'),
    transcripts: eventTranscripts,
    path: join(folder, 'session.jsonl'),
    directory: join(folder, 'home', 'projects', 'p'),
    root: '/work/app',
    config: loadConfig({ homeFile: join(folder, 'config.json') }),
    isRecording: () => true,
    ...more,
  };
  return { folder, options, history: () => recordsIn(options.directory).history };
}

describe('importTail', () => {
  it('continues where the previous reading ended', () => {
    const { options, history } = setUp();
    writeFileSync(options.path, linesOf([SESSION, prompt(1)]));
    expect(importTail(options)).toMatchObject({ isComplete: true, counts: { messages: 1 } });
    appendFileSync(options.path, linesOf([prompt(2)]));
    expect(importTail(options)).toMatchObject({ counts: { messages: 1, duplicates: 0 } });
    expect(importTail(options)).toMatchObject({ counts: { messages: 0, duplicates: 0 } });
    expect(history()).toHaveLength(2);
  });

  it('keeps what it did not understand, and whether that was everything', () => {
    const { options } = setUp();
    const skipped: TranscriptEvent = { type: 'skip', reason: 'unknown line: sparkle', isProblem: true };
    writeFileSync(options.path, linesOf([skipped, skipped]));
    importTail(options);
    const read = () => readUnknownParts(options.home, eventTranscripts.agent, Date.now());
    expect(read()).toMatchObject([
      { reason: 'unknown line: sparkle', count: 2, path: options.path },
      { reason: 'transcript without a message or call', count: 1, path: options.path, isWhole: true },
    ]);
    appendFileSync(options.path, linesOf([SESSION, prompt(1), skipped]));
    importTail(options);
    expect(read().map(({ count }) => count)).toEqual([3, 1]);
  });

  it('stops at the time limit and continues next time', () => {
    const { options, history } = setUp({ budgetMs: 0 });
    writeFileSync(options.path, linesOf([SESSION, prompt(1), prompt(2), prompt(3)]));
    expect(importTail(options)).toMatchObject({ isComplete: false });
    for (let turn = 0; turn < 10 && importTail(options)?.isComplete !== true; turn++);
    expect(history().map((record) => 'content' in record && record.content)).toEqual([
      'prompt 1',
      'prompt 2',
      'prompt 3',
    ]);
  });

  it('reports the attempts that were written', () => {
    const reported: unknown[] = [];
    const { options } = setUp({
      onAttempt: ({ callId, outcome }) => reported.push([callId, outcome]),
      isOver: true,
    });
    writeFileSync(
      options.path,
      linesOf([
        SESSION,
        {
          type: 'call',
          sessionId: 's1',
          callId: 'c1',
          timestamp: at(1),
          tool: 'Bash',
          input: { command: 'ls' },
        },
        {
          type: 'result',
          sessionId: 's1',
          callId: 'c1',
          timestamp: at(2),
          result: { status: 'ok', output: 'src' },
        },
        {
          type: 'call',
          sessionId: 's1',
          callId: 'c2',
          timestamp: at(3),
          tool: 'Bash',
          input: { command: 'top' },
        },
      ]),
    );
    importTail(options);
    expect(reported).toEqual([
      ['c1', 'success'],
      ['c2', 'unclear'],
    ]);
  });

  it('stores the position in a private file without secrets', () => {
    const { options, folder } = setUp();
    const secret = ['ghp_', 'x7Kq2LmZ9pRt', '4WvB8nYc6DfG', '3HjS5aQe1UiT'].join('');
    writeFileSync(options.path, linesOf([SESSION, prompt(1, `take ${secret}`)]));
    importTail(options);
    const [name = ''] = readdirSync(join(folder, 'home', 'imports'));
    const stored = join(folder, 'home', 'imports', name);
    expect(statSync(stored).mode & 0o777).toBe(0o600);
    expect(readFileSync(stored, 'utf8')).not.toContain(secret);
  });

  it('does nothing while recording is off, another process reads the file, or it does not exist', () => {
    const { options, history } = setUp();
    expect(importTail(options)).toBeUndefined();
    writeFileSync(options.path, linesOf([SESSION, prompt(1)]));
    expect(importTail({ ...options, isRecording: () => false })).toBeUndefined();
    importTail(options);
    const imports = join(options.home, 'imports');
    const [name = ''] = readdirSync(imports);
    const lock = join(imports, name.replace('.json', '.lock'));
    writeFileSync(lock, JSON.stringify({ pid: process.pid, host: hostname(), since: Date.now() }));
    appendFileSync(options.path, linesOf([prompt(2)]));
    expect(importTail(options)).toBeUndefined();
    expect(history()).toHaveLength(1);
  });

  it('starts again when the file was replaced or the stored position is damaged', () => {
    const { options, history } = setUp();
    writeFileSync(options.path, linesOf([SESSION, prompt(1), prompt(2)]));
    importTail(options);
    writeFileSync(options.path, linesOf([SESSION, prompt(2), prompt(3)]));
    expect(importTail(options)).toMatchObject({ counts: { messages: 1, duplicates: 1 } });
    const imports = join(options.home, 'imports');
    for (const name of readdirSync(imports)) writeFileSync(join(imports, name), '{"v":1,"sessions":[{"open":3}]}');
    expect(importTail(options)).toMatchObject({ counts: { messages: 0, duplicates: 2 } });
    expect(history()).toHaveLength(3);
  });

  it('recognises hook records behind many records of other sessions', () => {
    const { options, history } = setUp();
    mkdirSync(options.directory, { recursive: true });
    const log = join(options.directory, 'history.jsonl');
    const live = {
      v: 1,
      id: '1-aaaaaaaa',
      sessionId: 's1',
      timestamp: at(1),
      role: 'user',
      content: 'prompt 1',
    };
    appendRecord(log, live);
    const filler = 'word '.repeat(400);
    for (let n = 0; n < 600; n++) {
      const timestamp = n % 7 === 0 ? '2020-01-01T00:00:00.000Z' : at(2);
      appendRecord(log, {
        v: 1,
        id: `2-${n}`,
        sessionId: 'other',
        timestamp,
        role: 'assistant',
        content: filler,
      });
    }
    expect(statSync(log).size).toBeGreaterThan(1_000_000);
    writeFileSync(options.path, linesOf([SESSION, prompt(1), prompt(60)]));
    expect(importTail(options)).toMatchObject({ counts: { messages: 1, duplicates: 1 } });
    expect(history()).toHaveLength(602);
  });

  it('does not take a denied call for its repetition, which a hook recorded', () => {
    const { options } = setUp();
    const call = { tool: 'bash', input: { command: 'npm install redis-node' }, cwd: '/work/app', root: '/work/app' };
    const result: CallResult = { status: 'error', output: 'npm error 404 Not Found', exitCode: 1 };
    mkdirSync(options.directory, { recursive: true });
    const live = buildAttempt({ ...call, sessionId: 's1', timestamp: at(3) }, result);
    appendRecord(join(options.directory, 'failures.jsonl'), { v: 1, id: '1-aaaaaaaa', ...live });
    const events = (callId: string, second: number, ended: CallResult): readonly TranscriptEvent[] => [
      { type: 'call', sessionId: 's1', callId, timestamp: at(second), tool: call.tool, input: call.input },
      { type: 'result', sessionId: 's1', callId, timestamp: at(second + 1), result: ended },
    ];
    const denied = events('c1', 1, { status: 'denied', output: 'Denied by hook' });
    writeFileSync(options.path, linesOf([SESSION, ...denied, ...events('c2', 2, result)]));
    expect(importTail(options)?.counts).toMatchObject({ attempts: { denied: 1 }, duplicates: 1 });
    expect(importTail(options)?.counts).toMatchObject({ attempts: {} });
  });

  it('throws YoreError only', () => {
    const broken: AgentTranscripts = {
      ...eventTranscripts,
      read: () => {
        throw new TypeError('undefined is not a transcript');
      },
    };
    const { options } = setUp({ transcripts: broken });
    writeFileSync(options.path, '{}\n');
    expect(() => importTail(options)).toThrow(YoreError);
  });
});
