import { cpSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Guard, KnownFailure, ToolCall } from '../../../src/memory/index.ts';
import { temporaryFolder } from '../../temp-folder.ts';
import { DAY, type Details, edit, HOUR, MINUTE, NOT_FOUND_404, read, START, Story } from './story.ts';

const COMMANDS: readonly (readonly [command: string, output: string])[] = [
  ['npm i redis-node', NOT_FOUND_404('redis-node')],
  ['gh pr diff --stat', 'unknown flag: --stat'],
  ['cat nope.txt', 'cat: nope.txt: No such file or directory'],
  ['cat src', 'cat: src: Is a directory'],
  ['npm test', 'FAIL a.test.ts'],
  ['deploytool push', 'usage: deploytool TARGET'],
  ['rg x', 'zsh: command not found: rg'],
  ['git merge next', 'CONFLICT (content): Merge conflict in a'],
  ['curl x', 'connection refused'],
  ['cd sub && make all && cat out/log.txt', 'cat: out/log.txt: No such file or directory'],
  ['git commit -m x', 'nothing to commit'],
  ['npm test | tail -3', '1 failed'],
  ['mkdir -p out', 'mkdir: out: Permission denied'],
];
const TOOLS: readonly (readonly [details: Details, output: string])[] = [
  [read('nope.txt'), 'File does not exist.'],
  [edit('src/a.ts'), 'File has not been read yet.'],
  [edit('src/a.ts', 'x', 'x'), 'No changes to make: old_string and new_string are exactly the same.'],
  [edit('src/b.ts', 'gone'), 'String to replace not found in file.'],
  [{ tool: 'mcp__tracker__get', input: { id: 'A-1' } }, 'Entity not found'],
];

interface Step {
  readonly what: number;
  readonly works: boolean;
  readonly session: number;
  readonly minutes: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.nat(COMMANDS.length + TOOLS.length - 1),
  works: fc.boolean(),
  session: fc.nat(3),
  minutes: fc.nat(500),
});

function detailsOf({ what, session }: Step): readonly [string, Details, string] {
  const own = { sessionId: `session-${session}`, agent: session === 3 ? 'codex' : 'claude-code' };
  const [command, output] = COMMANDS[what] ?? ['', ''];
  if (command !== '') return [command, own, output];
  const [details, error] = TOOLS[what - COMMANDS.length] ?? [{}, ''];
  return ['', { ...details, ...own }, error];
}

function tell(story: Story, each: Step): void {
  const [command, details, output] = detailsOf(each);
  if (each.works) story.works(command, details);
  else story.fails(command, output, details);
  story.pass(each.minutes * MINUTE);
}

/** Every call of the tables, as another session would make it. */
function questions(story: Story): ToolCall[] {
  const what = Array.from({ length: COMMANDS.length + TOOLS.length }, (_, at) => at);
  return what.map((at) => {
    const [command, details] = detailsOf({ what: at, works: true, session: 1, minutes: 0 });
    return story.call(command, { ...details, sessionId: 'asking' });
  });
}

/** All failures and matches of a guard. */
function answers(
  story: Story,
  guard: Guard,
): { readonly failures: readonly KnownFailure[]; readonly matches: unknown } {
  return {
    failures: guard.store.failures(story.now).toSorted((a, b) => (a.key < b.key ? -1 : 1)),
    matches: questions(story).map((call) => guard.match(call)),
  };
}

function ask(story: Story): ReturnType<typeof answers> {
  const guard = story.guard({ failureLookbackDays: 3650 });
  try {
    return answers(story, guard);
  } finally {
    guard.close();
  }
}

/** The same project without snapshots. */
function withoutSnapshots(story: Story): Story {
  const copy = new Story(join(temporaryFolder(), 'copy'));
  cpSync(story.folder, copy.folder, { recursive: true });
  for (const name of ['guard.idx', 'guard.recent']) rmSync(join(copy.folder, name), { force: true });
  copy.now = story.now;
  return copy;
}

describe('any number of processes', () => {
  test('give the same answers from snapshot, changes and logs as from the logs alone', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            step,
            fc.constantFrom(
              'continue',
              'snapshot',
              'save',
              'new process',
              'snapshot and new process',
              'save and new process',
            ),
          ),
          { maxLength: 30 },
        ),
        (steps) => {
          const story = new Story();
          let guard = story.guard({ failureLookbackDays: 3650 });
          for (const [each, then] of steps) {
            tell(story, each);
            if (then.includes('snapshot')) guard.store.writeSnapshot(story.now);
            if (then.includes('save')) guard.store.saveChanges(story.now);
            if (!then.includes('new process')) continue;
            guard.close();
            guard = story.guard({ failureLookbackDays: 3650 });
          }
          const said = answers(story, guard);
          guard.close();
          expect(said).toEqual(ask(withoutSnapshots(story)));
        },
      ),
      { numRuns: 40 },
    );
  });

  test('have no candidate for a call that has just succeeded', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), step, (steps, last) => {
        const story = new Story();
        for (const each of steps) tell(story, each);
        const [command, details] = detailsOf(last);
        fc.pre(command !== 'npm test | tail -3');
        story.works(command, details);
        const asked = { ...details, sessionId: 'asking' };
        const confidence = story.confidence(command, asked);
        // Rules of editing are about the session, not about the call.
        fc.pre(details.tool !== 'Edit');
        expect(confidence).toBe(0);
      }),
      { numRuns: 60 },
    );
  });
});

describe('unusual input', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\u0000', '\ud800', 'ÿþ', "'", '"$(', '<<EOF', '`', '{{{', '\\', '-'.repeat(5000)),
    fc.stringMatching(/^[a-z |&;<>()$'"\\-]{0,60}$/),
  );
  const call = fc.record({
    sessionId: text,
    tool: fc.oneof(fc.constantFrom('Bash', 'Read', 'Edit', 'apply_patch', 'mcp__x__y', '__proto__'), text),
    input: fc.dictionary(
      fc.oneof(fc.constantFrom('command', 'cmd', 'file_path', 'old_string', 'edits', 'input'), text),
      fc.oneof(text, fc.jsonValue()),
    ),
    timestamp: fc.oneof(
      fc.date({ noInvalidDate: true, max: new Date('9000-01-01') }).map((date) => date.toISOString()),
      fc.constantFrom('', 'never', '2026-03-02T10:00:00Z'),
    ),
  });

  test('of any kind and order does not make the guard throw', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(call, text, fc.option(fc.integer())), { maxLength: 12 }), (stream) => {
        const story = new Story();
        const guard = story.guard();
        for (const [made, output, exitCode] of stream) {
          guard.warn(made);
          const time = Date.parse(made.timestamp);
          story.now = Number.isNaN(time) ? story.now : time;
          const result =
            exitCode === null ? { status: 'ok' as const, output } : { status: 'error' as const, output, exitCode };
          guard.settle(story.record('', result, made));
          guard.tidy(Date.parse(made.timestamp));
          guard.check(made);
        }
        guard.store.writeSnapshot(story.now);
        guard.store.failures(story.now);
        guard.close();
      }),
      { numRuns: 80 },
    );
  });

  test('of five megabytes, binary output and invalid UTF-8 is accepted', () => {
    const story = new Story();
    const binary = Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 97) % 256)).toString('utf8');
    const huge = `echo ${'word '.repeat(1_000_000)}`;
    story.fails(huge, `${binary}\n${'x'.repeat(5_000_000)}`);
    story.fails('', binary, { tool: 'nobody-knows-this', input: { data: binary } });
    expect(story.confidence(huge)).toBeGreaterThanOrEqual(0);
    writeFileSync(join(story.folder, 'failures.jsonl'), Buffer.from([0xff, 0xfe, 0x00, 0x0a]), { flag: 'a' });
    story.fails('gh pr diff --stat', 'unknown flag: --stat');
    expect(story.check('gh pr diff --stat')).toBeDefined();
    expect(statSync(join(story.folder, 'failures.jsonl')).size).toBeLessThan(100_000);
  });

  test('such as damaged, torn and newer lines is skipped', () => {
    const story = new Story();
    const path = join(story.folder, 'failures.jsonl');
    writeFileSync(path, 'garbage\n{"v":1}\n{"v":99,"id":"x"}\n[]\nnull\n{"v":1,"id":"a","sessionId":"s","timest');
    story.fails('gh pr diff --stat', 'unknown flag: --stat');
    writeFileSync(join(story.folder, 'warnings.jsonl'), '{"kind":"pin"}\n\u0000\n{"v":1,"kind":"override"}\n');
    expect(story.check('gh pr diff --stat')).toBeDefined();
  });
});

describe('a damaged snapshot', () => {
  const damageable = (): Story => {
    const story = new Story();
    for (const [at, [command, output]] of COMMANDS.entries())
      story.fails(command, output, { sessionId: `session-${at % 3}` });
    story.works('bun add ioredis', { sessionId: 'session-0' });
    const guard = story.guard({ failureLookbackDays: 3650 });
    guard.choose('dismiss', 'option:gh pr diff --stat', story.now);
    guard.store.writeSnapshot(story.now);
    guard.close();
    story.fails('npm i left', NOT_FOUND_404('left'));
    return story;
  };

  test('is rebuilt with the same answers, wherever it was truncated', () => {
    const story = damageable();
    const path = join(story.folder, 'guard.idx');
    const bytes = readFileSync(path);
    const expected = ask(withoutSnapshots(story));
    expect(ask(story)).toEqual(expected);
    const lengths = [0, 1, 7, 8, 20, 27, 28, 29, 60, 1000, bytes.length >> 1, bytes.length - 500, bytes.length - 1];
    for (const length of lengths) {
      writeFileSync(path, bytes.subarray(0, length));
      expect(ask(story)).toEqual(expected);
    }
  });

  test('is rebuilt with the same answers, whichever bytes were changed', () => {
    const story = damageable();
    const path = join(story.folder, 'guard.idx');
    const bytes = readFileSync(path);
    const expected = ask(withoutSnapshots(story));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 })), {
          minLength: 1,
          maxLength: 5,
        }),
        (flips) => {
          const damaged = Buffer.from(bytes);
          for (const [at, mask] of flips) damaged[at] = (damaged[at] ?? 0) ^ mask;
          writeFileSync(path, damaged);
          expect(ask(story)).toEqual(expected);
        },
      ),
      { numRuns: 150 },
    );
  });

  test('does not affect duplicate detection, choices and writing a new snapshot', () => {
    const story = damageable();
    const path = join(story.folder, 'guard.idx');
    const bytes = readFileSync(path);
    bytes.fill(0x41, bytes.length >> 1);
    writeFileSync(path, bytes);
    const guard = story.guard();
    expect(guard.hasSeen({ ...story.call('x', { sessionId: 'session-0' }), callId: 'call-0' })).toBe(true);
    expect(guard.givesOnlyNotes('session-0')).toBe(false);
    expect(guard.choice('option:gh pr diff --stat')).toBe('dismiss');
    guard.store.writeSnapshot(story.now);
    guard.close();
    expect(existsSync(path)).toBe(true);
    expect(ask(story)).toEqual(ask(withoutSnapshots(story)));
  });

  test('of another version is rebuilt', () => {
    const story = damageable();
    const path = join(story.folder, 'guard.idx');
    writeFileSync(path, `yorekey1${'\0'.repeat(500)}`);
    expect(ask(story)).toEqual(ask(withoutSnapshots(story)));
  });
});

describe('the snapshot', () => {
  test("drops old failures and keeps the user's choices", () => {
    const story = new Story();
    story.fails('npm i redis-node', NOT_FOUND_404('redis-node'));
    const guard = story.guard();
    guard.choose('dismiss', 'package:redis-node', story.now);
    guard.store.writeSnapshot(story.now);
    expect(guard.store.failures(story.now)).toHaveLength(1);
    story.pass(20 * DAY);
    guard.store.writeSnapshot(story.now);
    expect(guard.store.failures(story.now), 'a clock alone drops nothing').toHaveLength(1);
    for (let call = 0; call < 40; call++) story.works(`echo ${call}`);
    guard.store.writeSnapshot(story.now);
    expect(guard.store.failures(story.now)).toEqual([]);
    expect(guard.choice('package:redis-node')).toBe('dismiss');
    guard.close();
  });

  test('is rebuilt when records were deleted', () => {
    const story = new Story();
    story.fails('npm i redis-node', NOT_FOUND_404('redis-node'));
    const guard = story.guard();
    guard.store.writeSnapshot(story.now);
    writeFileSync(join(story.folder, 'failures.jsonl'), '');
    expect(guard.store.failures(story.now)).toEqual([]);
    guard.close();
    expect(story.check('npm i redis-node')).toBeUndefined();
  });

  test('does not grow with repetitions', () => {
    const sizeAfter = (rounds: number): number => {
      const story = new Story();
      for (let round = 0; round < rounds; round++) story.fails('npm i redis-node', NOT_FOUND_404('redis-node'));
      const guard = story.guard();
      guard.store.writeSnapshot(story.now);
      guard.close();
      return statSync(join(story.folder, 'guard.idx')).size;
    };
    expect(sizeAfter(300)).toBeLessThan(sizeAfter(3) + 5000);
  });

  test('drops failures that were recorded with a clock ahead', () => {
    const story = new Story();
    story.now = START + 3650 * DAY;
    story.fails('npm i redis-node', NOT_FOUND_404('redis-node'));
    story.now = START;
    for (let call = 0; call < 40; call++) story.works(`echo ${call}`);
    const guard = story.guard();
    guard.store.writeSnapshot(story.now);
    expect(guard.store.failures(story.now)).toEqual([]);
    guard.close();
  });

  test('keeps active failures, whatever the clock said when it was written', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -4000, max: 4000 }), { minLength: 1, maxLength: 5 }),
        fc.array(fc.integer({ min: 2, max: 4000 }), { maxLength: 20 }),
        fc.boolean(),
        (clocks, ahead, hasSnapshot) => {
          const story = new Story();
          for (let call = 0; call < 40; call++) story.works(`echo ${call}`);
          story.fails('npm i redis-node', NOT_FOUND_404('redis-node'));
          const writeSnapshot = (now: number): void => {
            const guard = story.guard();
            guard.store.writeSnapshot(now);
            guard.close();
          };
          if (hasSnapshot) writeSnapshot(story.now);
          const { now } = story;
          for (const days of ahead) {
            story.now = now + days * DAY;
            story.works('ls');
          }
          for (const days of clocks) writeSnapshot(now + days * DAY);
          story.now = now + HOUR;
          expect(story.check('npm i redis-node')).toBeDefined();
        },
      ),
      { numRuns: 25 },
    );
  });

  test('is built from the logs in the same way, whatever the clock says', () => {
    const story = new Story();
    for (let call = 0; call < 40; call++) story.works(`echo ${call}`);
    story.fails('npm i redis-node', NOT_FOUND_404('redis-node'));
    const guard = story.guard();
    expect(guard.check({ ...story.call('ls'), timestamp: '2036-01-01T00:00:00.000Z' })).toBeUndefined();
    expect(guard.check(story.call('npm i redis-node', { sessionId: 'two' }))).toBeDefined();
    guard.close();
  });
});
