import { describe, expect, it } from 'vitest';
import { facts } from '../../src/facts/facts.ts';
import type { Attempt } from '../../src/record/index.ts';
import { confirmStack } from '../../src/stack/confirm-stack.ts';
import { detectStack } from '../../src/stack/detect-stack.ts';
import type { ProjectStack } from '../../src/stack/project-stack.ts';

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
  commands: { testCommand: 'npm test', buildCommand: 'npm run build', packageManager: 'npm' },
  conventions: {},
  beforeCommit: [],
  evidence: [{ fact: 'testCommand', value: 'npm test', file: 'package.json' }],
};
const NONE = detectStack({ list: () => [], read: () => undefined });

const confirm = (stack: ProjectStack, attempts: readonly Attempt[]) =>
  confirmStack(
    stack,
    attempts.flatMap((attempt) => facts(attempt).used.map((use) => ({ ...use, at: attempt.timestamp }))),
  );
const commandsAfter = (attempts: readonly Attempt[], stack = NPM) => confirm(stack, attempts).commands;

describe('successful runs', () => {
  it('replace a detected command when they are repeated, with their number as evidence', () => {
    const attempts = times(3, 'bun test', { kind: 'test' });
    const stack = confirm(NPM, attempts);
    expect(stack.commands.testCommand).toBe('bun test');
    expect(stack.evidence).toEqual([
      { fact: 'testCommand', value: 'bun test', runs: 3, lastRun: attempts[2]?.timestamp },
    ]);
  });

  it('change nothing after a single run or failures', () => {
    expect(commandsAfter(times(1, 'bun test'))).toEqual(NPM.commands);
    expect(commandsAfter(times(9, 'bun test', { outcome: 'failure' }))).toEqual(NPM.commands);
    expect(commandsAfter(times(9, 'bun test', { outcome: 'interrupted' }))).toEqual(NPM.commands);
  });

  it('confirm a detected command and keep the file as evidence', () => {
    const stack = confirm(NPM, times(4, 'npm test 2>&1 | tail -20'));
    expect(stack.commands.testCommand).toBe('npm test');
    expect(stack.evidence).toEqual([
      { fact: 'testCommand', value: 'npm test', file: 'package.json' },
      expect.objectContaining({ fact: 'testCommand', value: 'npm test', runs: 4 }),
    ]);
  });

  it('count less on single files than on the whole project', () => {
    const narrow = times(8, 'npx vitest run test/a.test.ts');
    expect(commandsAfter([...narrow, ...times(2, 'npm test')]).testCommand).toBe('npm test');
    expect(commandsAfter(times(40, 'npx vitest run test/a.test.ts')).testCommand).toBe('npx vitest run');
  });

  it('follow a change of habit after some runs', () => {
    const before = times(200, 'npm test');
    expect(commandsAfter([...before, ...times(3, 'pnpm test')]).testCommand).toBe('npm test');
    expect(commandsAfter([...before, ...times(20, 'pnpm test')]).testCommand).toBe('pnpm test');
  });

  it('in another ecosystem replace only a command that never ran', () => {
    expect(commandsAfter([...times(2, 'npm test'), ...times(9, 'pytest')]).testCommand).toBe('npm test');
    expect(commandsAfter(times(9, 'pytest')).testCommand).toBe('pytest');
  });

  it('provide commands for a project whose files have none', () => {
    const attempts = [...times(2, 'make test'), ...times(2, 'cargo build --release')];
    expect(commandsAfter(attempts, NONE)).toEqual({
      testCommand: 'make test',
      buildCommand: 'cargo build',
    });
  });

  it('in a folder are shown as typed in the root', () => {
    expect(commandsAfter(times(2, 'pytest -q', { cwd: 'backend' }), NONE).testCommand).toBe('cd backend && pytest');
    expect(commandsAfter(times(2, 'cd backend && pytest -q'), NONE).testCommand).toBe('cd backend && pytest');
    expect(commandsAfter(times(2, 'pytest', { cwd: '../elsewhere' }), NONE)).toEqual({});
  });

  it('do not count when a pipe hid that the command did not run', () => {
    const result = 'npm error Missing script: "test"';
    expect(commandsAfter(times(5, 'pnpm test | tail -5', { result }))).toEqual(NPM.commands);
  });
});

describe('successful installs', () => {
  it('decide the package manager, also for scripts that never ran', () => {
    const attempts = [ran('pnpm add zod'), ran('pnpm install')];
    expect(commandsAfter(attempts)).toEqual({
      testCommand: 'pnpm test',
      buildCommand: 'pnpm run build',
      packageManager: 'pnpm',
    });
  });

  it('are ignored for global tools and other ecosystems', () => {
    expect(commandsAfter(times(5, 'pnpm install -g typescript')).packageManager).toBe('npm');
    expect(commandsAfter(times(5, 'pip install requests')).packageManager).toBe('npm');
    expect(commandsAfter(times(5, 'pip install requests'), NONE).packageManager).toBe('pip');
  });
});
