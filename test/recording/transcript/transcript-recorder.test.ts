import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TranscriptEvent } from '../../../src/agents/transcript/transcript-event.ts';
import { KnownSessions } from '../../../src/recording/transcript/known-records.ts';
import {
  TranscriptRecorder,
  type TranscriptRecorderOptions,
} from '../../../src/recording/transcript/transcript-recorder.ts';
import { temporaryFolder } from '../../temp-folder.ts';
import { recordsIn } from './event-transcripts.ts';

const CLOCK = Date.parse('2026-03-02T09:00:00.000Z');
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

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
  commit: 'abc1234',
  model: 'large-1',
};

function intakeOf(directory: string, more: Partial<TranscriptRecorderOptions> = {}): TranscriptRecorder {
  return new TranscriptRecorder({
    directory,
    agent: 'claude-code',
    findRoot: () => '/work/app',
    known: new KnownSessions(),
    extraTags: {},
    clock: () => CLOCK,
    ...more,
  });
}

function take(events: readonly TranscriptEvent[], more: Partial<TranscriptRecorderOptions> = {}) {
  const directory = temporaryFolder();
  const intake = intakeOf(directory, more);
  for (const event of events) intake.add(event);
  intake.flush();
  return { directory, intake, ...recordsIn(directory) };
}

describe('what becomes of a session', () => {
  it('writes messages with all that the transcript tells of them', () => {
    const { history } = take([
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

  it('pairs calls with their results, whatever comes in between, and notes what they served', () => {
    const { successes, failures } = take([
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
        commit: 'abc1234',
        context: 'make the build work',
        outcome: 'success',
        agent: 'claude-code',
        timestamp: at(3),
      },
    ]);
    expect(failures).toMatchObject([
      { callId: 'c1', outcome: 'failure', exitCode: 1, context: 'make the build work' },
    ]);
    expect(failures[0]?.errorSignature).toBeDefined();
  });

  it('takes what the transcript says a call was for over the last prompt', () => {
    const { successes } = take([
      SESSION,
      says('make the build work', 1),
      { ...calls('c1', 'ls', 2), request: 'look around' } as TranscriptEvent,
      ends('c1', 'src'),
    ]);
    expect(successes[0]?.context).toBe('look around');
  });

  it('goes on with a request that the next prompt only agrees to', () => {
    const { successes } = take([
      SESSION,
      says('rename the module', 1),
      says('yes, go ahead', 2),
      calls('c1', 'git mv a b', 3),
      ends('c1', ''),
    ]);
    expect(successes[0]?.context).toBe('rename the module');
  });

  it('records what the user says of the attempt before', () => {
    const { failures } = take([
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

  it('takes nothing that a sub-agent is told for the words of a person', () => {
    const typed: string[] = [];
    const { history, failures } = take(
      [
        { type: 'session', sessionId: 's1', parentSessionId: 'p', cwd: '/work/app' },
        says('look for the bug', 1),
        says('still broken', 2),
      ],
      { onPrompt: (text) => typed.push(text) },
    );
    expect(history).toMatchObject([{ parentSessionId: 'p' }, { parentSessionId: 'p' }]);
    expect(failures).toEqual([]);
    expect(typed).toEqual([]);
  });

  it('tells of what a person typed, once', () => {
    const typed: string[] = [];
    take([SESSION, says('hello', 1), says('hello', 1), says('done', 2, { role: 'assistant' })], {
      onPrompt: (text) => typed.push(text),
    });
    expect(typed).toEqual(['hello']);
  });

  it('marks compactions and what the program says', () => {
    const { history } = take([
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

  it('adds the usage of replies that say nothing to the next one that does', () => {
    const reply = { role: 'assistant' } as const;
    const { history } = take([
      SESSION,
      says('', 1, { ...reply, usage: { inputTokens: 3, outputTokens: 1 } }),
      says('done', 2, { ...reply, usage: { inputTokens: 4, cacheReadTokens: 9 } }),
      says('anything else?', 3, reply),
    ]);
    expect(history).toHaveLength(2);
    expect(history[0]).toMatchObject({ usage: { inputTokens: 7, outputTokens: 1, cacheReadTokens: 9 } });
    expect(history[1]).not.toHaveProperty('usage');
  });

  it('stores images for their owner alone and leaves out what is no image', () => {
    const { directory, history, intake } = take([
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
    expect(intake.counts.images).toBe(1);
    expect([...intake.counts.skipped]).toEqual([
      ['image of an unknown kind', 1],
      ['image over 5 MB', 1],
    ]);
  });

  it('gives what has no usable time that of what came before it', () => {
    const { history } = take([
      SESSION,
      says('first', 0, { timestamp: 'yesterday or so', id: 'a' }),
      says('second', 7, { id: 'b' }),
      { type: 'message', sessionId: 's1', id: 'c', role: 'user', text: 'third' },
      says('fourth', 0, { timestamp: '+275000-01-01T00:00:00Z', id: 'd' }),
    ]);
    expect(history.map(({ timestamp }) => timestamp)).toEqual([at(0), at(7), at(7), at(7)]);
  });

  it('keeps no secret, neither in the logs nor in what is kept for going on', () => {
    const secret = ['ghp_', 'x7Kq2LmZ9pRt', '4WvB8nYc6DfG', '3HjS5aQe1UiT'].join('');
    const { directory, intake } = take([
      SESSION,
      says(`use ${secret}`, 1),
      calls('c1', `curl -H "Authorization: Bearer ${secret}" https://example.test`, 2),
    ]);
    expect(JSON.stringify(recordsIn(directory))).not.toContain(secret);
    expect(intake.sessions[0]?.open).toHaveLength(1);
    expect(JSON.stringify(intake.sessions)).not.toContain(secret);
  });

  it('writes nothing in a dry run, and counts the same', () => {
    const events = [SESSION, says('hello', 1), calls('c1', 'ls', 2), ends('c1', 'src')];
    const real = take(events);
    const dry = take(events, { write: false });
    expect(dry.intake.counts).toEqual(real.intake.counts);
    expect(existsSync(join(dry.directory, 'history.jsonl'))).toBe(false);
  });
});

describe("calls of yore's own tools", () => {
  it('are not recorded: what they answer is recorded history', () => {
    const { failures, successes, intake } = take([
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
    expect([...intake.counts.skipped]).toEqual([["call of yore's own tool", 1]]);
  });
});

describe('calls whose result never comes', () => {
  it('are unclear once the user has spoken twice', () => {
    const events = [SESSION, calls('c1', 'npm start', 1), says('and now?', 2)];
    expect(take(events).failures).toEqual([]);
    const { failures } = take([...events, says('next: the docs', 3)]);
    expect(failures).toMatchObject([{ callId: 'c1', outcome: 'unclear', timestamp: at(1) }]);
  });

  it('are unclear when the session is over, or has been quiet', () => {
    const directory = temporaryFolder();
    const intake = intakeOf(directory);
    for (const event of [SESSION, calls('c1', 'npm start', 1)]) intake.add(event);
    intake.endOpenCalls(at(0));
    expect(intake.counts.attempts).toEqual({});
    intake.endOpenCalls(at(2));
    intake.flush();
    expect(recordsIn(directory).failures).toMatchObject([{ callId: 'c1', outcome: 'unclear' }]);
    expect(intake.sessions[0]?.open).toEqual([]);
  });

  it('are few: of more than 32 the oldest is given up', () => {
    const many = Array.from({ length: 40 }, (_, n) => calls(`c${n}`, `sleep ${n}`, 1));
    const { failures, intake } = take([SESSION, ...many]);
    expect(failures.map(({ callId }) => callId)).toEqual(many.slice(0, 8).map((_, n) => `c${n}`));
    expect(intake.sessions[0]?.open).toHaveLength(32);
  });

  it('and results whose call nobody saw are only counted', () => {
    const { intake, failures } = take([SESSION, ends('c9', 'error: what?', 1)]);
    expect(failures).toEqual([]);
    expect([...intake.counts.skipped]).toEqual([['result without its call', 1]]);
  });
});

describe('what is known', () => {
  it('is not taken in again', () => {
    const known = new KnownSessions();
    const events = [
      SESSION,
      says('hello', 1),
      calls('c1', 'ls', 2),
      ends('c1', 'src'),
      says('still broken', 3),
    ];
    take(events, { known });
    const { intake, history, successes, failures } = take(events, { known });
    expect([history, successes, failures]).toEqual([[], [], []]);
    expect(intake.counts).toMatchObject({ messages: 0, duplicates: 3, attempts: {} });
  });

  it('is not taken in from a fork that begins with copies of it', () => {
    const known = new KnownSessions();
    take([SESSION, says('hello', 1), calls('c1', 'ls', 2), ends('c1', 'src')], { known });
    const copy = (event: TranscriptEvent): TranscriptEvent =>
      ({ ...event, sessionId: 's2' }) as TranscriptEvent;
    const fork = { ...SESSION, sessionId: 's2', parentSessionId: 's1', isFork: true };
    const { history, successes } = take(
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

  it('is taken in from a sub-agent under the same ids', () => {
    const known = new KnownSessions();
    take([SESSION, says('hello', 1)], { known });
    const { history } = take(
      [
        { type: 'session', sessionId: 's2', parentSessionId: 's1' },
        { ...says('hello', 1), sessionId: 's2' } as TranscriptEvent,
      ],
      { known },
    );
    expect(history).toHaveLength(1);
  });

  it('and was forgotten is not brought back; what came later is new', () => {
    const known = new KnownSessions((_, session) => session.markDeleted(at(3)));
    const { history, successes, intake } = take(
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
    expect([...intake.counts.skipped]).toEqual([['forgotten session', 2]]);
  });

  it('tells messages without ids apart by their place', () => {
    const events: TranscriptEvent[] = [1, 2, 3].map(
      (n) =>
        ({ type: 'message', sessionId: 's1', timestamp: at(n), role: 'user', text: 'continue' }) as const,
    );
    const known = new KnownSessions();
    expect(take([SESSION, ...events], { known }).history).toHaveLength(3);
    expect(take([SESSION, ...events], { known }).history).toEqual([]);
  });
});
