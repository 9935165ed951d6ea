import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UNKNOWN_MACHINE } from '../../src/ask/guard/candidates.ts';
import { Guard } from '../../src/ask/guard/guard.ts';
import { readGuardOptions } from '../../src/ask/guard/guard-options.ts';
import { loadConfig } from '../../src/config/index.ts';
import type { CallResult, ToolCall } from '../../src/facts/call/tool-call.ts';
import { drainSpool } from '../../src/recording/drain-spool.ts';
import { Recorder, type RecorderOptions } from '../../src/recording/recorder.ts';
import { Spool, toSpooledCall } from '../../src/recording/spool.ts';
import type { RowSource } from '../../src/store/project-rows.ts';
import { overlaidRows, storedRows } from '../rows.ts';
import '../property-seed.ts';
import { temporaryFolder } from '../temp-folder.ts';

const START = Date.parse('2026-03-03T09:00:00.000Z');
const ROOT = '/srv/shop';

function optionsOf(directory: string, now: () => number = Date.now): RecorderOptions {
  const config = loadConfig({ homeFile: join(directory, 'none.json') });
  return {
    directory,
    config,
    root: ROOT,
    isRecording: () => true,
    now,
    isShortLived: true,
  };
}

/** Calls with few names, so that one affects another. */
const command = fc.oneof(
  fc.constantFrom(
    'npm test',
    'npm test | tail',
    'npm install redis-node',
    'npm install ioredis',
    'grep -rn cache src',
    'make -j4 || true',
    'cat src/cache.ts',
    'curl -H "Authorization: Bearer ghp_0123456789abcdefghijABCDEFGHIJ012345" https://example.com',
    'cd server && npm run build; echo done',
  ),
  fc
    .tuple(fc.constantFrom('ls', 'node', 'tsc'), fc.constantFrom('a.ts', '../b', '--watch'))
    .map((words) => words.join(' ')),
);
const tool = fc.oneof(
  { weight: 3, arbitrary: command.map((text) => ({ tool: 'Bash', input: { command: text } })) },
  fc.constantFrom('a', 'b').map((name) => ({ tool: 'Read', input: { file_path: `${ROOT}/${name}.ts` } })),
  fc.constantFrom('a', 'b').map((name) => ({
    tool: 'Edit',
    input: { file_path: `${ROOT}/${name}.ts`, old_string: 'one', new_string: 'two' },
  })),
);
const output = fc.oneof(
  fc.constantFrom(
    '',
    '12 passing',
    'npm error code E404\nnpm error 404 Not Found - GET https://registry.example/redis-node',
    "The user doesn't want to proceed with this tool use.",
    'cat: src/cache.ts: No such file or directory',
    'File has not been read yet. Read it first before writing to it.',
    'password = "hunter2-and-more-of-it"\n3 failed',
    'Exit code 1',
    'x'.repeat(9_000),
  ),
  fc.string({ maxLength: 60 }),
);
const result: fc.Arbitrary<CallResult> = fc.record(
  {
    status: fc.constantFrom('ok' as const, 'ok' as const, 'error' as const, 'error' as const, 'rejected' as const),
    output,
    exitCode: fc.constantFrom(0, 1, 2, 137),
    durationMs: fc.nat(1000),
  },
  { requiredKeys: ['status'] },
);

/** One step of several sessions: a call is checked, ends, or the agent pauses. */
interface Step {
  readonly kind: 'check' | 'end' | 'pause';
  readonly session: string;
  readonly minutes: number;
  readonly call: { readonly tool: string; readonly input: Readonly<Record<string, unknown>> };
  readonly result: CallResult;
  readonly callId: string | undefined;
}
const step = stepOf(tool, result);

function stepOf(call: fc.Arbitrary<Step['call']>, ended: fc.Arbitrary<CallResult>): fc.Arbitrary<Step> {
  return fc.record({
    kind: fc.constantFrom('check', 'check', 'end', 'end', 'end', 'pause'),
    session: fc.constantFrom('one', 'two'),
    minutes: fc.constantFrom(0, 0, 1, 5, 90),
    call,
    result: ended,
    callId: fc.option(fc.constantFrom('c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8'), { nil: undefined }),
  });
}

/** Reading and editing few files, with the errors that editing tools give. */
const editing = stepOf(
  fc.oneof(
    fc.constantFrom('Read', 'Edit', 'Edit', 'Write').chain((name) =>
      fc.constantFrom('a', 'b', 'c').map((file) => ({
        tool: name,
        input: {
          file_path: `${ROOT}/${file}.ts`,
          ...(name === 'Edit' ? { old_string: 'one', new_string: 'two' } : {}),
        },
      })),
    ),
    fc.constantFrom('cat a.ts', 'ls').map((text) => ({ tool: 'Bash', input: { command: text } })),
  ),
  fc.constantFrom<CallResult>(
    { status: 'ok' },
    { status: 'ok' },
    { status: 'error', output: 'File has not been read yet. Read it first before writing to it.' },
    { status: 'error', output: 'String to replace not found in file.' },
    { status: 'error', output: 'No changes to make: old_string and new_string are exactly the same.' },
  ),
);

/** The logs without random ids. */
function logsOf(directory: string): Record<string, readonly string[]> {
  return Object.fromEntries(
    readdirSync(directory)
      .filter((name) => /^(?:failures|successes|warnings)\.jsonl$/.test(name))
      .map((name) => [
        name,
        readFileSync(join(directory, name), 'utf8')
          .replace(/"(id|warningId|attemptId)":"\d+-[0-9a-f]{8}"/g, '"$1":""')
          .split('\n'),
      ]),
  );
}

interface Agent {
  check(call: ToolCall): Promise<string | undefined>;
  end(call: ToolCall, result: CallResult): void;
  pause(now: number): void;
}

function warn(call: ToolCall, directory: string, rows: RowSource): string | undefined {
  const options = optionsOf(directory);
  const guard = new Guard(rows, readGuardOptions(options.config, { ...options, machine: UNKNOWN_MACHINE }));
  return new Recorder({ ...options, guard }).warn(call)?.warning.text;
}

/** Records each call when it ends. */
function direct(directory: string): Agent {
  const rows = storedRows(directory);
  return {
    check: async (call) => warn(call, directory, rows),
    end: (call, ended) => void new Recorder(optionsOf(directory)).record(call, ended),
    pause: () => undefined,
  };
}

/** Adds each call to the spool, as hooks do. */
function spooling(directory: string): Agent {
  const drain = (now: number): void => void drainSpool(optionsOf(directory, () => now));
  const rows = storedRows(directory);
  return {
    check: async (call) => warn(call, directory, overlaidRows(directory)),
    end: (call, ended) => void new Spool(directory).add(toSpooledCall({ ...call, root: ROOT }, ended)),
    pause: (now) => {
      drain(now);
      rows.ask(() => undefined);
    },
  };
}

async function play(agent: Agent, steps: readonly Step[]): Promise<readonly (string | undefined)[]> {
  let now = START;
  const answers: (string | undefined)[] = [];
  for (const { kind, session, minutes, call, result: ended, callId } of steps) {
    now += minutes * 60_000 + 1_000;
    const made: ToolCall = {
      ...call,
      sessionId: session,
      agent: 'claude-code',
      cwd: ROOT,
      timestamp: new Date(now).toISOString(),
      ...(callId === undefined ? {} : { callId: `${session}-${callId}` }),
    };
    if (kind === 'check') answers.push(await agent.check(made));
    else if (kind === 'end') agent.end(made, ended);
    else agent.pause(now);
  }
  agent.pause(now);
  return answers;
}

describe('the spool', () => {
  it('leads to the same records and warnings as recording each call at once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.array(step, { maxLength: 14 }), fc.array(editing, { maxLength: 14 })),
        async (steps) => {
          const [one, other] = [temporaryFolder(), temporaryFolder()];
          expect(await play(spooling(other), steps)).toEqual(await play(direct(one), steps));
          expect(logsOf(other)).toEqual(logsOf(one));
          expect(new Spool(other).isEmpty()).toBe(true);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('records each call once, however often and wherever a drain crashes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), fc.nat(20), async (steps, cut) => {
        const [directory, expected] = [temporaryFolder(), temporaryFolder()];
        const ends = steps.map((each) => ({ ...each, kind: 'end' as const }));
        await play(direct(expected), ends);
        const agent = spooling(directory);
        await play({ ...agent, pause: () => undefined }, ends);
        const waiting = readFileSync(join(directory, 'spool.jsonl'), 'utf8');
        drainSpool(optionsOf(directory));
        // As after a crash: some of the records are written, and what was taken is not dropped.
        for (const log of ['failures', 'successes']) keepLines(join(directory, `${log}.jsonl`), cut);
        writeFileSync(join(directory, 'spool.taken'), waiting);
        drainSpool(optionsOf(directory));
        drainSpool(optionsOf(directory));
        expect(sorted(logsOf(directory))).toEqual(sorted(logsOf(expected)));
      }),
      { numRuns: 60 },
    );
  });

  it('records how a warning ended although a process crashed before it had done so', async () => {
    const directory = temporaryFolder();
    const call = (minute: number, sessionId: string): ToolCall => ({
      sessionId,
      callId: `${sessionId}-${minute}`,
      agent: 'claude-code',
      tool: 'Bash',
      input: { command: 'npm install redis-node' },
      timestamp: new Date(START + minute * 60_000).toISOString(),
    });
    const failed: CallResult = {
      status: 'error',
      exitCode: 1,
      output: 'npm error code E404\nnpm error 404 Not Found',
    };
    const agent = spooling(directory);
    agent.end(call(0, 'monday'), failed);
    agent.pause(START);
    expect(await agent.check(call(600, 'tuesday'))).toContain('This failed');
    agent.end(call(601, 'tuesday'), { status: 'ok', exitCode: 0 });
    const waiting = readFileSync(join(directory, 'spool.jsonl'), 'utf8');
    agent.pause(START + 602 * 60_000);
    const warnings = join(directory, 'warnings.jsonl');
    const logged = readFileSync(warnings, 'utf8');
    expect(logged).toContain('"succeeded":true');
    // As after a crash between settling the claim and recording the override.
    keepLines(warnings, 1);
    writeFileSync(join(directory, 'spool.taken'), waiting);
    drainSpool(optionsOf(directory));
    writeFileSync(join(directory, 'spool.taken'), waiting);
    drainSpool(optionsOf(directory));
    expect(readFileSync(warnings, 'utf8').match(/"kind":"override"/g)).toHaveLength(1);
  });

  it('keeps lines of a newer version until that version drains it', () => {
    const directory = temporaryFolder();
    const agent = spooling(directory);
    const spool = join(directory, 'spool.jsonl');
    const kept = join(directory, 'spool.newer');
    agent.end(
      {
        sessionId: 's',
        callId: 'one',
        tool: 'Bash',
        input: { command: 'make' },
        timestamp: new Date(START).toISOString(),
      },
      { status: 'ok' },
    );
    const newer = readFileSync(spool, 'utf8').replace('"v":1', '"v":99').replace('"one"', '"later"');
    appendFileSync(spool, newer);
    agent.pause(START);
    expect(readFileSync(kept, 'utf8')).toBe(newer);

    // As the newer version would see it.
    writeFileSync(kept, newer.replace('"v":99', '"v":1').replace(/"id":"[^"]+"/, '"id":"1772528400000-0000abcd"'));
    writeFileSync(spool, '\n');
    agent.pause(START);
    expect(readFileSync(join(directory, 'successes.jsonl'), 'utf8').match(/"callId":"\w+"/g)).toEqual([
      '"callId":"one"',
      '"callId":"later"',
    ]);
    expect(existsSync(kept)).toBe(false);
  });

  it('records a kept line of a newer version only once if a crash left it behind', () => {
    const directory = temporaryFolder();
    const agent = spooling(directory);
    const call = { sessionId: 's', tool: 'Bash', input: { command: 'make' }, timestamp: new Date(START).toISOString() };
    agent.end(call, { status: 'ok' });
    const line = readFileSync(join(directory, 'spool.jsonl'), 'utf8');
    agent.pause(START);
    writeFileSync(join(directory, 'spool.newer'), line);
    writeFileSync(join(directory, 'spool.jsonl'), '\n');
    agent.pause(START);
    expect(readFileSync(join(directory, 'successes.jsonl'), 'utf8').match(/"tool":/g)).toHaveLength(1);
  });

  it('loses a torn line and nothing else', () => {
    const directory = temporaryFolder();
    const agent = spooling(directory);
    const end = (id: string): void =>
      agent.end(
        {
          sessionId: 's',
          callId: id,
          tool: 'Bash',
          input: { command: `make ${id}` },
          timestamp: new Date(START).toISOString(),
        },
        { status: 'ok' },
      );
    end('one');
    const line = readFileSync(join(directory, 'spool.jsonl'), 'utf8');
    appendFileSync(join(directory, 'spool.jsonl'), line.replace('"one"', '"torn"').slice(0, -20));
    end('two');
    appendFileSync(join(directory, 'spool.jsonl'), '{"v":1,"args":7}\nnull\n\u0000\n{"v":99,"id":"x"}\n');
    agent.pause(START);
    expect(readFileSync(join(directory, 'successes.jsonl'), 'utf8').match(/"callId":"\w+"/g)).toEqual([
      '"callId":"one"',
      '"callId":"two"',
    ]);
    expect(new Spool(directory).isEmpty()).toBe(true);
  });

  it('is readable by the user only and contains no secrets', () => {
    const directory = temporaryFolder();
    const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
    new Spool(directory).add(
      toSpooledCall(
        {
          sessionId: 's',
          tool: 'Bash',
          input: { command: `curl -H "Authorization: Bearer ${secret}"`, note: secret },
          timestamp: new Date(START).toISOString(),
          branch: secret,
          cwd: '/home/someone/shop',
        },
        { status: 'error', output: `token ${secret}\npassword: "hunter2-and-more-of-it"` },
      ),
    );
    const path = join(directory, 'spool.jsonl');
    const text = readFileSync(path, 'utf8');
    for (const hidden of [secret, 'hunter2', 'someone']) expect(text).not.toContain(hidden);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});

function keepLines(path: string, count: number): void {
  if (!existsSync(path)) return;
  const kept = readFileSync(path, 'utf8').split('\n').slice(0, -1).slice(0, count);
  writeFileSync(path, kept.map((line) => `${line}\n`).join(''));
}

function sorted(logs: Record<string, readonly string[]>): Record<string, readonly string[]> {
  return Object.fromEntries(
    Object.entries(logs)
      .map(([name, lines]) => [name, lines.filter((line) => line !== '').toSorted()] as const)
      .filter(([, lines]) => lines.length > 0),
  );
}
