import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { confirmFromTally, confirmStack } from '../../../src/memory/stack/confirm-stack.ts';
import { detectStack } from '../../../src/memory/stack/detect-stack.ts';
import type { ProjectStack } from '../../../src/memory/stack/project-stack.ts';
import { EMPTY_TALLY, type StackTally, tallyAttempt } from '../../../src/memory/stack/stack-tally.ts';
import type { Attempt } from '../../../src/record/index.ts';

let count = 0;

function ran(command: string, more: Partial<Attempt> = {}): Attempt {
  count++;
  const timestamp = new Date(Date.UTC(2025, 10, 1) + count * 60_000).toISOString();
  return {
    v: 1,
    id: `a${count}`,
    timestamp,
    sessionId: 's',
    outcome: 'success',
    tool: 'shell',
    command,
    ...more,
  };
}

function times(number: number, command: string, more: Partial<Attempt> = {}): Attempt[] {
  return Array.from({ length: number }, () => ran(command, more));
}

const NPM: ProjectStack = {
  techStack: { languages: ['TypeScript'], frameworks: [], tools: [] },
  patterns: { testCommand: 'npm test', buildCommand: 'npm run build', packageManager: 'npm' },
  conventions: {},
  beforeCommit: [],
  evidence: [{ fact: 'testCommand', value: 'npm test', file: 'package.json' }],
};
const NONE = detectStack({ list: () => [], read: () => undefined });

const patternsAfter = (attempts: readonly Attempt[], stack = NPM) => confirmStack(stack, attempts).patterns;

describe('what really ran', () => {
  it('replaces what the files say when it succeeded repeatedly, with the number of runs', () => {
    const attempts = times(3, 'bun test', { kind: 'test' });
    const stack = confirmStack(NPM, attempts);
    expect(stack.patterns.testCommand).toBe('bun test');
    expect(stack.evidence).toEqual([
      { fact: 'testCommand', value: 'bun test', runs: 3, lastRun: attempts[2]?.timestamp },
    ]);
  });

  it('changes nothing when it ran once, or failed', () => {
    expect(patternsAfter(times(1, 'bun test'))).toEqual(NPM.patterns);
    expect(patternsAfter(times(9, 'bun test', { outcome: 'failure' }))).toEqual(NPM.patterns);
    expect(patternsAfter(times(9, 'bun test', { outcome: 'interrupted' }))).toEqual(NPM.patterns);
  });

  it('confirms what the files say, and keeps the file as evidence', () => {
    const stack = confirmStack(NPM, times(4, 'npm test 2>&1 | tail -20'));
    expect(stack.patterns.testCommand).toBe('npm test');
    expect(stack.evidence).toEqual([
      { fact: 'testCommand', value: 'npm test', file: 'package.json' },
      expect.objectContaining({ fact: 'testCommand', value: 'npm test', runs: 4 }),
    ]);
  });

  it('on single files says less than on the whole project', () => {
    const narrow = times(8, 'npx vitest run test/a.test.ts');
    expect(patternsAfter([...narrow, ...times(2, 'npm test')]).testCommand).toBe('npm test');
    expect(patternsAfter(times(40, 'npx vitest run test/a.test.ts')).testCommand).toBe('npx vitest run');
  });

  it('follows a change of habit after some runs', () => {
    const before = times(200, 'npm test');
    expect(patternsAfter([...before, ...times(3, 'pnpm test')]).testCommand).toBe('npm test');
    expect(patternsAfter([...before, ...times(20, 'pnpm test')]).testCommand).toBe('pnpm test');
  });

  it('in another ecosystem replaces only a command that never ran', () => {
    expect(patternsAfter([...times(2, 'npm test'), ...times(9, 'pytest')]).testCommand).toBe('npm test');
    expect(patternsAfter(times(9, 'pytest')).testCommand).toBe('pytest');
  });

  it('gives commands to a project whose files say nothing', () => {
    const attempts = [
      ...times(2, './scripts/check.sh --fast', { kind: 'test' }),
      ...times(2, 'cargo build --release'),
    ];
    expect(patternsAfter(attempts, NONE)).toEqual({
      testCommand: './scripts/check.sh',
      buildCommand: 'cargo build',
    });
  });

  it('in a folder is shown as typed in the root', () => {
    expect(patternsAfter(times(2, 'pytest -q', { cwd: 'backend' }), NONE).testCommand).toBe(
      'cd backend && pytest',
    );
    expect(patternsAfter(times(2, 'cd backend && pytest -q'), NONE).testCommand).toBe('cd backend && pytest');
    expect(patternsAfter(times(2, 'pytest', { cwd: '../elsewhere' }), NONE)).toEqual({});
  });

  it('does not count when a pipe hid that it did not run', () => {
    const result = 'npm error Missing script: "test"';
    expect(patternsAfter(times(5, 'pnpm test | tail -5', { result }))).toEqual(NPM.patterns);
  });
});

describe('successful installs', () => {
  it('decide the package manager, and how scripts that never ran are called', () => {
    const attempts = [ran('pnpm add zod'), ran('pnpm install')];
    expect(patternsAfter(attempts)).toEqual({
      testCommand: 'pnpm test',
      buildCommand: 'pnpm run build',
      packageManager: 'pnpm',
    });
  });

  it('of tools for the whole machine, or of another ecosystem, do not', () => {
    expect(patternsAfter(times(5, 'pnpm install -g typescript')).packageManager).toBe('npm');
    expect(patternsAfter(times(5, 'pip install requests')).packageManager).toBe('npm');
    expect(patternsAfter(times(5, 'pip install requests'), NONE).packageManager).toBe('pip');
  });
});

describe('the tally', () => {
  const attempt = fc
    .tuple(
      fc.constantFrom(
        'npm test',
        'bun test',
        'pnpm add x',
        'cd a && go test ./...',
        'make build',
        'ls',
        '',
        '\0"$(',
      ),
      fc.constantFrom<Attempt['outcome']>('success', 'failure'),
      fc.option(fc.string(), { nil: undefined }),
      fc.constantFrom('test', 'run', '__proto__', undefined),
    )
    .map(([command, outcome, cwd, kind]) =>
      ran(command, {
        outcome,
        ...(cwd === undefined ? {} : { cwd }),
        ...(kind === undefined ? {} : { kind }),
      }),
    );

  it('kept as JSON between any two attempts gives what all attempts at once give', () => {
    fc.assert(
      fc.property(fc.array(attempt, { maxLength: 60 }), fc.nat(60), (attempts, at) => {
        let tally: StackTally = EMPTY_TALLY;
        for (const one of attempts.slice(0, at)) tally = tallyAttempt(tally, one);
        tally = JSON.parse(JSON.stringify(tally)) as StackTally;
        for (const one of attempts.slice(at)) tally = tallyAttempt(tally, one);
        expect(confirmFromTally(NPM, tally)).toEqual(confirmStack(NPM, attempts));
      }),
    );
  });

  it('stays small whatever runs', () => {
    let tally: StackTally = EMPTY_TALLY;
    for (let index = 0; index < 500; index++)
      tally = tallyAttempt(tally, ran(`./run-${index}.sh`, { kind: 'test' }));
    expect(tally.testCommand).toHaveLength(12);
    expect(tally.testCommand?.at(-1)?.value).toBe('./run-499.sh');
  });
});
