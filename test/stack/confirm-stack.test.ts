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
  stated: [],
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
  it('never replace what the files of the project state', () => {
    const stated = { ...NPM, stated: ['testCommand', 'buildCommand', 'packageManager'] as const };
    const attempts = [...times(9, 'npx vitest run'), ...times(9, 'pnpm run build'), ...times(9, 'pnpm install')];
    expect(commandsAfter(attempts, stated)).toEqual(NPM.commands);
  });

  it('replace a default when they are repeated, with their number as evidence', () => {
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

  it('on some files or of another command say nothing: only what ran is named', () => {
    expect(commandsAfter(times(40, 'npx vitest run test/a.test.ts'), NONE)).toEqual({});
    expect(commandsAfter(times(40, 'gofmt -w main.go'), NONE)).toEqual({});
    expect(commandsAfter(times(40, 'npm publish'), NONE)).toEqual({});
  });

  it('of a script, which the manifest must have, come before those of a tool', () => {
    const attempts = [...times(1, 'npm test'), ...times(30, 'npx jest'), ...times(4, 'npm run test:unit')];
    expect(commandsAfter(attempts, NONE).testCommand).toBe('npm test');
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

  it('in a part of the project or elsewhere are not of the project', () => {
    const circumstances = ['worktree:/home/*/shop'];
    for (const line of ['cd backend && pytest -q', 'cd /tmp/try && pytest', 'cd /home/*/other && pytest'])
      expect(commandsAfter(times(9, line, { circumstances }), NONE)).toEqual({});
    expect(commandsAfter(times(9, 'pytest -q', { cwd: 'backend' }), NONE)).toEqual({});
    expect(commandsAfter(times(9, 'pytest', { cwd: '../elsewhere' }), NONE)).toEqual({});
  });

  it('in a worktree are of the project', () => {
    expect(commandsAfter(times(2, 'cd .worktrees/3 && mise run test:ci'), NONE).testCommand).toBe('mise run test:ci');
    expect(commandsAfter(times(2, 'pytest', { cwd: '.claude/worktrees/fix' }), NONE).testCommand).toBe('pytest');
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

describe('a project without a checkout', () => {
  it.each([
    [
      'npm ci, npm test, npx jest a.test.ts, npm run build, npx tsc --noEmit, npx tsc --noEmit, npm publish, npm run dev',
      'npm test, npm run build, npx tsc --noEmit, npm run dev',
    ],
    [
      'yarn, yarn test, yarn workspace web build, yarn eslint src, yarn eslint src, yarn deploy',
      'yarn test, yarn eslint src',
    ],
    [
      'cargo test parser, cargo nextest run, cargo nextest run, cargo build --release, cargo build, cargo publish',
      'cargo nextest run, cargo build',
    ],
    [
      'go test ./..., go test -race ./..., gofmt -w a.go, gofmt -w b.go, go run ./cmd/api, go run ./cmd/api',
      'go test ./..., go run ./cmd/api',
    ],
    [
      'uv run pytest, uv run pytest -q, uv run mypy src, uv run mypy src/, uv publish',
      'uv run pytest, uv run mypy src',
    ],
    ['poetry run pytest tests/, poetry run pytest tests, poetry run alembic upgrade head', 'poetry run pytest tests'],
    ['make test, make deploy, make db-migrate, make clean, make -C docs build, just build', 'make test, just build'],
    ['mise run test:ci, mise r lint, mise run release, task fmt', 'mise run test:ci, mise run lint, task fmt'],
    ['./gradlew -q test, ./gradlew test, ./gradlew :app:build, ./gradlew publish', './gradlew test'],
    [
      'mvn -q test, mvn test, mvn clean package, mvn clean package -DskipTests, mvn deploy',
      'mvn test, mvn clean package',
    ],
    [
      'dotnet test, dotnet test, dotnet build -c Release, dotnet build, dotnet publish, dotnet publish',
      'dotnet test, dotnet build',
    ],
    [
      'composer test, vendor/bin/pint, vendor/bin/pint, php artisan migrate, php artisan migrate',
      'composer test, vendor/bin/pint',
    ],
    [
      'bundle exec rspec, bundle exec rspec, bundle exec rspec a_spec.rb, bin/rails db:migrate, gem push a.gem',
      'bundle exec rspec',
    ],
  ])('has the commands that ran as a whole in its root: %s', (ran, named) => {
    const { packageManager: _, ...commands } = commandsAfter(
      ran.split(', ').flatMap((line) => times(1, line)),
      NONE,
    );
    expect(Object.values(commands)).toEqual(named.split(', '));
  });
});
