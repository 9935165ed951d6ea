import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TranscriptEvent } from '../../../src/agents/transcript/transcript.ts';
import { loadConfig } from '../../../src/config/index.ts';
import { Recorder } from '../../../src/project/index.ts';
import { importTail } from '../../../src/recording/transcript/import-tail.ts';
import '../../property-seed.ts';
import { temporaryFolder } from '../../temp-folder.ts';
import { eventTranscripts, linesOf, recordsIn } from './event-transcripts.ts';

const START = Date.parse('2026-03-02T09:00:00.000Z');
const CONFIG = loadConfig({ homeFile: '/nowhere/config.json' });
const ROOT = '/work/app';

function time(step: number): string {
  return new Date(START + step * 7_000).toISOString();
}

const WORDS = ['fix the login', 'continue', 'still broken', 'that worked', 'try again', 'add a test', 'größer → ∞'];
const COMMANDS = ['npm test', 'npm run build', 'git status', 'rg TODO src', 'cat "weird name.txt"'];
const OUTPUTS = ['ok', 'npm error code E404', '', 'x'.repeat(5000), 'Zeile\r\n\u2028zwei'];

/** Events of a session without order and times. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('prompt' as const), text: fc.constantFrom(...WORDS), hasId: fc.boolean() }),
  fc.record({
    kind: fc.constant('reply' as const),
    text: fc.constantFrom(...WORDS, ''),
    hasId: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('call' as const), command: fc.constantFrom(...COMMANDS) }),
  fc.record({
    kind: fc.constant('end' as const),
    back: fc.nat(3),
    code: fc.constantFrom(0, 0, 1, 2),
    output: fc.constantFrom(...OUTPUTS),
  }),
  fc.record({ kind: fc.constant('branch' as const), branch: fc.constantFrom('main', 'topic') }),
);
const story = fc.array(fc.tuple(step, fc.constantFrom('s1', 's1', 's2')), { maxLength: 30 });

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function eventsOf(steps: readonly (readonly [Step, string])[]): TranscriptEvent[] {
  const calls = new Map<string, string[]>();
  const events: TranscriptEvent[] = [
    { type: 'session', sessionId: 's1', cwd: ROOT, branch: 'main' },
    { type: 'session', sessionId: 's2', cwd: ROOT, parentSessionId: 's1' },
  ];
  for (const [number, [what, sessionId]] of steps.entries()) {
    const timestamp = time(number);
    const own = calls.get(sessionId) ?? [];
    calls.set(sessionId, own);
    if (what.kind === 'branch') events.push({ type: 'session', sessionId, branch: what.branch });
    else if (what.kind === 'call') {
      own.push(`call-${number}`);
      const input = { command: what.command };
      events.push({ type: 'call', sessionId, callId: `call-${number}`, timestamp, tool: 'Bash', input });
    } else if (what.kind === 'end') {
      const callId = own.at(-1 - what.back) ?? 'unheard-of';
      const result = {
        status: what.code === 0 ? 'ok' : 'error',
        exitCode: what.code,
        output: what.output,
      } as const;
      events.push({ type: 'result', sessionId, callId, timestamp, result });
    } else {
      const role = what.kind === 'prompt' ? 'user' : 'assistant';
      const usage = role === 'assistant' ? { usage: { outputTokens: number } } : {};
      const id = what.hasId ? { id: `message-${number}` } : {};
      events.push({ type: 'message', sessionId, timestamp, role, text: what.text, ...usage, ...id });
    }
  }
  return events;
}

class Machine {
  readonly folder: string = temporaryFolder();
  readonly directory: string = join(this.folder, 'home', 'projects', 'p');
  readonly path: string = join(this.folder, 'session.jsonl');

  constructor() {
    mkdirSync(this.directory, { recursive: true });
    writeFileSync(this.path, '');
  }

  take(isOver = false): ReturnType<typeof importTail> {
    return importTail({
      home: join(this.folder, 'home'),
      transcripts: eventTranscripts,
      path: this.path,
      directory: this.directory,
      root: ROOT,
      config: CONFIG,
      isRecording: () => true,
      budgetMs: 60_000,
      now: () => START,
      isOver,
    });
  }
}

describe('importing a transcript', () => {
  it('gives the same records however the transcript is split into readings', () => {
    fc.assert(
      fc.property(story, fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }), (steps, cuts) => {
        const bytes = Buffer.from(linesOf(eventsOf(steps)));
        const whole = new Machine();
        writeFileSync(whole.path, bytes);
        whole.take(true);
        const parts = new Machine();
        let done = 0;
        for (const cut of [...cuts].sort((a, b) => a - b)) {
          const next = Math.floor(cut * bytes.length);
          appendFileSync(parts.path, bytes.subarray(done, next));
          done = next;
          parts.take();
        }
        appendFileSync(parts.path, bytes.subarray(done));
        parts.take(true);
        expect(recordsIn(parts.directory)).toEqual(recordsIn(whole.directory));
      }),
      { numRuns: 60 },
    );
  });

  it('records nothing twice, even if the position was lost', () => {
    fc.assert(
      fc.property(story, (steps) => {
        const machine = new Machine();
        writeFileSync(machine.path, linesOf(eventsOf(steps)));
        machine.take(true);
        const before = recordsIn(machine.directory);
        machine.take(true);
        rmSync(join(machine.folder, 'home', 'imports'), { recursive: true });
        machine.take(true);
        expect(recordsIn(machine.directory)).toEqual(before);
      }),
      { numRuns: 40 },
    );
  });

  it('adds nothing to what hooks recorded', () => {
    const turn = fc.record({
      prompt: fc.constantFrom(...WORDS),
      calls: fc.array(
        fc.record({
          command: fc.constantFrom(...COMMANDS),
          code: fc.constantFrom(0, 1),
          hasId: fc.boolean(),
        }),
        { maxLength: 3 },
      ),
      lag: fc.integer({ min: -2_000, max: 2_000 }),
    });
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 8 }), (turns) => {
        const machine = new Machine();
        const recorder = new Recorder({
          directory: machine.directory,
          config: CONFIG,
          root: ROOT,
          isRecording: () => true,
        });
        const events: TranscriptEvent[] = [{ type: 'session', sessionId: 's1', cwd: ROOT }];
        let now = START;
        for (const [number, { prompt, calls, lag }] of turns.entries()) {
          now += 20_000;
          const timestamp = new Date(now).toISOString();
          const live = new Date(now + lag).toISOString();
          events.push({
            type: 'message',
            sessionId: 's1',
            id: `m${number}`,
            timestamp,
            role: 'user',
            text: ` ${prompt}\n`,
          });
          recorder.recordPrompt({ sessionId: 's1', text: prompt, timestamp: live, agent: 'claude-code' });
          for (const [index, { command, code, hasId }] of calls.entries()) {
            const callId = `c${number}-${index}`;
            const result = {
              status: code === 0 ? 'ok' : 'error',
              exitCode: code,
              output: 'said this',
            } as const;
            const call = { sessionId: 's1', tool: 'Bash', input: { command }, cwd: ROOT };
            events.push({ ...call, type: 'call', callId, timestamp });
            events.push({ type: 'result', sessionId: 's1', callId, timestamp, result });
            recorder.record({ ...call, timestamp: live, agent: 'claude-code', ...(hasId ? { callId } : {}) }, result);
          }
        }
        const before = recordsIn(machine.directory);
        writeFileSync(machine.path, linesOf(events));
        machine.take(true);
        expect(recordsIn(machine.directory)).toEqual(before);
      }),
      { numRuns: 40 },
    );
  });
});
