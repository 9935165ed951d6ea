import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Guard } from '../../../src/ask/guard/guard.ts';
import type { ToolCall } from '../../../src/facts/call/tool-call.ts';
import { tryReadText } from '../../../src/files/index.ts';
import { shortHash } from '../../../src/record/id.ts';
import type { RowSource } from '../../../src/store/project-rows.ts';
import { overlaidRows, storedRows } from '../../rows.ts';
import { temporaryFolder } from '../../temp-folder.ts';
import { DAY, type Details, edit, MINUTE, NOT_FOUND_404, read, START, Story } from './story.ts';

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

/** What the guard knows of the records in a folder: the failures, the most likely one for each call, and the warning. */
function answers(rows: RowSource, story: Story): unknown {
  const guard = new Guard(rows, { failureLookbackDays: 3650, minConfidence: 0 });
  return {
    failures: guard.ask((each) => each.failures(story.now, { all: true })),
    matches: questions(story).map((call) => guard.match(call)),
    warnings: questions(story).map((call) => guard.checkCall(call)),
  };
}

/** A copy of the project's logs in which lines are in another order. */
function shuffled(story: Story, seed: number): string {
  const folder = join(temporaryFolder(), 'project');
  mkdirSync(folder);
  const rank = (line: string): string => shortHash(`${seed}${line}`);
  for (const name of ['failures.jsonl', 'successes.jsonl']) {
    const lines = (tryReadText(join(story.folder, name)) ?? '').split('\n').filter((line) => line !== '');
    const sorted = lines.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
    if (lines.length > 0) writeFileSync(join(folder, name), `${sorted.join('\n')}\n`);
  }
  return folder;
}

describe('any number of processes', () => {
  test('give the same answers, however far the store has caught up when they ask', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(step, fc.boolean()), { maxLength: 25 }), (steps) => {
        const story = new Story();
        const stored = storedRows(story.folder);
        for (const [each, doesCatchUp] of steps) {
          tell(story, each);
          if (doesCatchUp) stored.ask(() => undefined);
        }
        const byHooks = answers(overlaidRows(story.folder), story);
        expect(byHooks).toEqual(answers(stored, story));
      }),
      { numRuns: 20 },
    );
  });

  test('give the same answers in whatever order the records were written', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), fc.nat(), (steps, seed) => {
        const story = new Story();
        for (const each of steps) tell(story, each);
        const other = shuffled(story, seed);
        expect(answers(storedRows(other), story)).toEqual(answers(storedRows(story.folder), story));
      }),
      { numRuns: 25 },
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
      { numRuns: 40 },
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
        for (const [made, output, exitCode] of stream) {
          story.warn(made);
          const time = Date.parse(made.timestamp);
          story.now = Number.isNaN(time) ? story.now : time;
          const result =
            exitCode === null ? { status: 'ok' as const, output } : { status: 'error' as const, output, exitCode };
          story.warnings.settle(story.record('', result, made));
        }
        story.guard().ask((guard) => guard.failures(story.now, { all: true }));
      }),
      { numRuns: 40 },
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

describe('the clock', () => {
  test('does not decide what is known', () => {
    const story = new Story();
    story.fails('npm i redis-node', NOT_FOUND_404('redis-node'));
    expect(story.guard().check({ ...story.call('ls'), timestamp: '2036-01-01T00:00:00.000Z' })).toBeUndefined();
    expect(story.check('npm i redis-node')).toBeDefined();
  });

  test('that was ahead when a failure was recorded does not make it active', () => {
    const story = new Story();
    story.now = START + 3650 * DAY;
    story.fails('npm i redis-node', NOT_FOUND_404('redis-node'));
    story.now = START;
    expect(story.check('npm i redis-node')).toBeUndefined();
  });
});

test('failures whose records were deleted are not known any more', () => {
  const story = new Story();
  story.fails('npm i redis-node', NOT_FOUND_404('redis-node'));
  expect(story.check('npm i redis-node')).toBeDefined();
  writeFileSync(join(story.folder, 'failures.jsonl'), '');
  expect(storedRows(story.folder).ask(() => true)).toBe(true);
  expect(story.check('npm i redis-node')).toBeUndefined();
});
