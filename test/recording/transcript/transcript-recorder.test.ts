import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TranscriptEvent } from '../../../src/agents/transcript/transcript.ts';
import { KnownRecords } from '../../../src/recording/transcript/known-records.ts';
import {
  TranscriptRecorder,
  type TranscriptRecorderOptions,
} from '../../../src/recording/transcript/transcript-recorder.ts';
import { temporaryFolder } from '../../temp-folder.ts';
import { recordsIn } from './event-transcripts.ts';

const CLOCK = Date.parse('2026-03-02T09:00:00.000Z');
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

function at(minute: number): string {
  return new Date(CLOCK + minute * 60_000).toISOString();
}

function says(text: string, minute: number, more: Partial<TranscriptEvent> = {}): TranscriptEvent {
  return {
    type: 'message',
    sessionId: 's1',
    id: `m${minute}`,
    timestamp: at(minute),
    role: 'user',
    text,
    ...more,
  } as TranscriptEvent;
}

function calls(callId: string, command: string, minute: number, sessionId = 's1'): TranscriptEvent {
  return { type: 'call', sessionId, callId, timestamp: at(minute), tool: 'Bash', input: { command } };
}

function ends(callId: string, output: string, exitCode = 0, sessionId = 's1'): TranscriptEvent {
  const status = exitCode === 0 ? 'ok' : 'error';
  return { type: 'result', sessionId, callId, result: { status, exitCode, output } };
}

const SESSION: TranscriptEvent = {
  type: 'session',
  sessionId: 's1',
  cwd: '/work/app/web',
  branch: 'main',
  model: 'large-1',
};

function createRecorder(directory: string, more: Partial<TranscriptRecorderOptions> = {}): TranscriptRecorder {
  return new TranscriptRecorder({
    directory,
    agent: 'claude-code',
    findRoot: () => '/work/app',
    known: new KnownRecords(),
    extraTags: {},
    defaultTime: () => CLOCK,
    ...more,
  });
}

function record(events: readonly TranscriptEvent[], more: Partial<TranscriptRecorderOptions> = {}) {
  const directory = temporaryFolder();
  const recorder = createRecorder(directory, more);
  for (const event of events) recorder.add(event);
  recorder.flush();
  return { directory, recorder, ...recordsIn(directory) };
}

describe('TranscriptRecorder', () => {
  it('writes messages with all their metadata', () => {
    const { history } = record([
      SESSION,
      says('why does the build fail?', 1),
      says('A package is missing.', 2, { role: 'assistant', usage: { inputTokens: 10, outputTokens: 4 } }),
    ]);
    expect(history).toMatchObject([
      {
        sessionId: 's1',
        role: 'user',
        content: 'why does the build fail?',
        agent: 'claude-code',
        branch: 'main',
      },
      { role: 'assistant', model: 'large-1', usage: { inputTokens: 10, outputTokens: 4 }, timestamp: at(2) },
    ]);
    expect(history[0]).not.toHaveProperty('model');
  });

  it('pairs calls with their results and with the request they serve', () => {
    const { successes, failures } = record([
      SESSION,
      says('make the build work', 1),
      calls('c1', 'npm run build', 2),
      calls('c2', 'npm test', 3),
      ends('c2', 'all good'),
      ends('c1', 'npm error Missing script: "build"', 1),
    ]);
    expect(successes).toMatchObject([
      {
        callId: 'c2',
        tool: 'Bash',
        command: 'npm test',
        cwd: 'web',
        branch: 'main',
        context: 'make the build work',
        outcome: 'success',
        agent: 'claude-code',
        timestamp: at(3),
      },
    ]);
    expect(failures).toMatchObject([{ callId: 'c1', outcome: 'failure', exitCode: 1, context: 'make the build work' }]);
    expect(failures[0]?.errorSignature).toBeDefined();
  });

  it('prefers the request given with a call over the last prompt', () => {
    const { successes } = record([
      SESSION,
      says('make the build work', 1),
      { ...calls('c1', 'ls', 2), request: 'look around' } as TranscriptEvent,
      ends('c1', 'src'),
    ]);
    expect(successes[0]?.context).toBe('look around');
  });

  it('keeps the request when the next prompt only agrees to it', () => {
    const { successes } = record([
      SESSION,
      says('rename the module', 1),
      says('yes, go ahead', 2),
      calls('c1', 'git mv a b', 3),
      ends('c1', ''),
    ]);
    expect(successes[0]?.context).toBe('rename the module');
  });

  it('records feedback of the user', () => {
    const { failures } = record([
      SESSION,
      says('fix the login', 1),
      calls('c1', 'npm run fix', 2),
      ends('c1', 'fixed'),
      says('still broken', 3),
    ]);
    expect(failures).toMatchObject([
      {
        kind: 'feedback',
        outcome: 'failure',
        context: 'fix the login',
        command: 'npm run fix',
        description: 'still broken',
      },
    ]);
  });

  it('does not treat prompts of a sub-agent as typed by the user', () => {
    const typed: string[] = [];
    const { history, failures } = record(
      [
        { type: 'session', sessionId: 's1', parentSessionId: 'p', cwd: '/work/app' },
        says('look for the bug', 1),
        says('still broken', 2),
      ],
      { onPrompt: ({ text }) => typed.push(text) },
    );
    expect(history).toMatchObject([{ parentSessionId: 'p' }, { parentSessionId: 'p' }]);
    expect(failures).toEqual([]);
    expect(typed).toEqual([]);
  });

  it('reports each prompt of the user once', () => {
    const typed: string[] = [];
    record([SESSION, says('hello', 1), says('hello', 1), says('done', 2, { role: 'assistant' })], {
      onPrompt: ({ text }) => typed.push(text),
    });
    expect(typed).toEqual(['hello']);
  });

  it('marks compactions and system messages', () => {
    const { history } = record([
      SESSION,
      says('So far: …', 1, { kind: 'checkpoint' }),
      says('', 2, { kind: 'checkpoint' }),
      says('the provider is overloaded', 3, { isSystem: true, role: 'assistant' }),
    ]);
    expect(history).toMatchObject([
      { kind: 'checkpoint', content: 'So far: …' },
      { kind: 'checkpoint', content: '' },
      { systemEvent: true },
    ]);
  });

  it('adds the usage of replies without text to the next one with text', () => {
    const reply = { role: 'assistant' } as const;
    const { history } = record([
      SESSION,
      says('', 1, { ...reply, usage: { inputTokens: 3, outputTokens: 1 } }),
      says('done', 2, { ...reply, usage: { inputTokens: 4, cacheReadTokens: 9 } }),
      says('anything else?', 3, reply),
    ]);
    expect(history).toHaveLength(2);
    expect(history[0]).toMatchObject({ usage: { inputTokens: 7, outputTokens: 1, cacheReadTokens: 9 } });
    expect(history[1]).not.toHaveProperty('usage');
  });

  it('stores images in private files and skips invalid ones', () => {
    const { directory, history, recorder } = record([
      SESSION,
      says('look', 1, {
        images: [
          { mediaType: 'image/png', base64: PIXEL },
          { mediaType: 'text/html', base64: PIXEL },
          { mediaType: 'image/png', base64: 'A'.repeat(8 * 1024 * 1024) },
        ],
      }),
    ]);
    const [name] = readdirSync(join(directory, 'images'));
    expect(history).toMatchObject([{ imageRefs: [name] }]);
    expect(statSync(join(directory, 'images', name ?? '')).mode & 0o777).toBe(0o600);
    expect(recorder.counts.images).toBe(1);
    expect([...recorder.counts.skipped]).toEqual([
      ['image of an unknown type', 1],
      ['image over 5 MB', 1],
    ]);
  });

  it('uses the previous time for events without a valid one', () => {
    const { history } = record([
      SESSION,
      says('first', 0, { timestamp: 'yesterday or so', id: 'a' }),
      says('second', 7, { id: 'b' }),
      { type: 'message', sessionId: 's1', id: 'c', role: 'user', text: 'third' },
      says('fourth', 0, { timestamp: '+275000-01-01T00:00:00Z', id: 'd' }),
    ]);
    expect(history.map(({ timestamp }) => timestamp)).toEqual([at(0), at(7), at(7), at(7)]);
  });

  it('masks secrets in the logs and in the stored state', () => {
    const secret = ['ghp_', 'x7Kq2LmZ9pRt', '4WvB8nYc6DfG', '3HjS5aQe1UiT'].join('');
    const { directory, recorder } = record([
      SESSION,
      says(`use ${secret}`, 1),
      calls('c1', `curl -H "Authorization: Bearer ${secret}" https://example.test`, 2),
    ]);
    expect(JSON.stringify(recordsIn(directory))).not.toContain(secret);
    expect(recorder.sessions[0]?.open).toHaveLength(1);
    expect(JSON.stringify(recorder.sessions)).not.toContain(secret);
  });

  it('writes nothing in a dry run but counts the same', () => {
    const events = [SESSION, says('hello', 1), calls('c1', 'ls', 2), ends('c1', 'src')];
    const real = record(events);
    const dry = record(events, { dryRun: true });
    expect(dry.recorder.counts).toEqual(real.recorder.counts);
    expect(existsSync(join(dry.directory, 'history.jsonl'))).toBe(false);
  });
});

describe("calls of yore's own tools", () => {
  it('are not recorded', () => {
    const { failures, successes, recorder } = record([
      SESSION,
      {
        type: 'call',
        sessionId: 's1',
        callId: 'c1',
        timestamp: at(1),
        tool: 'mcp__yore__search',
        input: { query: 'x' },
      },
      ends('c1', 'Recorded history, quoted by yore: …'),
    ]);
    expect([failures, successes]).toEqual([[], []]);
    expect([...recorder.counts.skipped]).toEqual([["call of yore's own tool", 1]]);
  });
});

describe('calls without a result', () => {
  it('are unclear after two more prompts', () => {
    const events = [SESSION, calls('c1', 'npm start', 1), says('and now?', 2)];
    expect(record(events).failures).toEqual([]);
    const { failures } = record([...events, says('next: the docs', 3)]);
    expect(failures).toMatchObject([{ callId: 'c1', outcome: 'unclear', timestamp: at(1) }]);
  });

  it('are unclear when the session has ended or has been quiet', () => {
    const directory = temporaryFolder();
    const recorder = createRecorder(directory);
    for (const event of [SESSION, calls('c1', 'npm start', 1)]) recorder.add(event);
    recorder.endOpenCalls(at(0));
    expect(recorder.counts.attempts).toEqual({});
    recorder.endOpenCalls(at(2));
    recorder.flush();
    expect(recordsIn(directory).failures).toMatchObject([{ callId: 'c1', outcome: 'unclear' }]);
    expect(recorder.sessions[0]?.open).toEqual([]);
  });

  it('are unclear when more than 32 calls are open', () => {
    const many = Array.from({ length: 40 }, (_, n) => calls(`c${n}`, `sleep ${n}`, 1));
    const { failures, recorder } = record([SESSION, ...many]);
    expect(failures.map(({ callId }) => callId)).toEqual(many.slice(0, 8).map((_, n) => `c${n}`));
    expect(recorder.sessions[0]?.open).toHaveLength(32);
  });

  it('differ from results without a call, which are only counted', () => {
    const { recorder, failures } = record([SESSION, ends('c9', 'error: what?', 1)]);
    expect(failures).toEqual([]);
    expect([...recorder.counts.skipped]).toEqual([['result without its call', 1]]);
  });
});

describe('known records', () => {
  it('are not recorded again', () => {
    const known = new KnownRecords();
    const events = [SESSION, says('hello', 1), calls('c1', 'ls', 2), ends('c1', 'src'), says('still broken', 3)];
    record(events, { known });
    const { recorder, history, successes, failures } = record(events, { known });
    expect([history, successes, failures]).toEqual([[], [], []]);
    expect(recorder.counts).toMatchObject({ messages: 0, duplicates: 3, attempts: {} });
  });

  it('are not recorded again from a fork that starts with copies', () => {
    const known = new KnownRecords();
    record([SESSION, says('hello', 1), calls('c1', 'ls', 2), ends('c1', 'src')], { known });
    const copy = (event: TranscriptEvent): TranscriptEvent => ({ ...event, sessionId: 's2' }) as TranscriptEvent;
    const fork = { ...SESSION, sessionId: 's2', parentSessionId: 's1', isFork: true };
    const { history, successes } = record(
      [
        fork,
        copy(says('hello', 1)),
        copy(calls('c1', 'ls', 2)),
        copy(ends('c1', 'src')),
        copy(says('another way', 5)),
        calls('c2', 'ls -a', 6, 's2'),
        ends('c2', 'src', 0, 's2'),
      ],
      { known },
    );
    expect(history).toMatchObject([{ content: 'another way', sessionId: 's2', parentSessionId: 's1' }]);
    expect(successes).toMatchObject([{ callId: 'c2', sessionId: 's2' }]);
  });

  it('of a session do not hide those of its sub-agent with the same ids', () => {
    const known = new KnownRecords();
    record([SESSION, says('hello', 1)], { known });
    const { history } = record(
      [
        { type: 'session', sessionId: 's2', parentSessionId: 's1' },
        { ...says('hello', 1), sessionId: 's2' } as TranscriptEvent,
      ],
      { known },
    );
    expect(history).toHaveLength(1);
  });

  it('of a deleted session are not imported again, but later ones are', () => {
    const known = new KnownRecords((_, session) => session.markDeleted(at(3)));
    const { history, successes, recorder } = record(
      [
        SESSION,
        says('secret plans', 1),
        calls('c1', 'ls', 2),
        ends('c1', 'src'),
        says('weather?', 4),
        calls('c2', 'ls', 5),
        ends('c2', 'src'),
      ],
      { known },
    );
    expect(history).toMatchObject([{ content: 'weather?' }]);
    expect(successes).toMatchObject([{ callId: 'c2' }]);
    expect([...recorder.counts.skipped]).toEqual([['forgotten session', 2]]);
  });

  it('include messages without ids, recognised by position', () => {
    const events: TranscriptEvent[] = [1, 2, 3].map(
      (n) => ({ type: 'message', sessionId: 's1', timestamp: at(n), role: 'user', text: 'continue' }) as const,
    );
    const known = new KnownRecords();
    expect(record([SESSION, ...events], { known }).history).toHaveLength(3);
    expect(record([SESSION, ...events], { known }).history).toEqual([]);
  });
});
