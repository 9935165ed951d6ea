import { expect, test } from 'vitest';
import { type Knowledge, readKnowledge } from '../../src/ask/knowledge.ts';
import type { ProjectStack } from '../../src/stack/project-stack.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { ProjectLog, rowsOf, writeRedisStory } from './project-log.ts';

const NOW = Date.parse('2025-11-20T12:00:00.000Z');
const STACK: ProjectStack = {
  techStack: { languages: ['TypeScript', 'Python'], frameworks: ['React', 'FastAPI'], tools: ['Vite'] },
  commands: { testCommand: 'npm test', packageManager: 'npm' },
  conventions: { testPattern: '*.test.ts', importStyle: 'ES modules', formatter: 'prettier' },
  beforeCommit: [],
  stated: [],
  evidence: [],
};

const UNKNOWN: ProjectStack = {
  techStack: { languages: [], frameworks: [], tools: [] },
  commands: {},
  conventions: {},
  beforeCommit: [],
  stated: [],
  evidence: [],
};

function knowledgeOf(folder: string, { stack = UNKNOWN, now = NOW } = {}): Knowledge {
  return readKnowledge(rowsOf(folder), { now, stack, exists: () => false });
}

/** Days of work: each session edits, may test, and commits. */
function writeWorkdays(log: ProjectLog, days: number, isTested: (day: number) => boolean): void {
  for (let day = 1; day <= days; day++) {
    const session = `day-${day}`;
    log.at(`2025-11-${String(day).padStart(2, '0')}T09:00:00.000Z`);
    log.asks(session, `Prepare the release notes of version ${day}`);
    log.succeeds(session, { tool: 'Edit', path: `src/part-${day}.ts`, kind: 'edit' });
    if (isTested(day)) log.succeeds(session, { command: 'bun test', kind: 'test', signature: 'sh bun test' });
    log.succeeds(session, { command: 'git status', kind: 'run' });
    log.succeeds(session, { command: `git commit -m "Part ${day}"`, kind: 'commit' });
  }
}

test('lists a missing package the first time if it is known what worked instead', () => {
  const folder = temporaryFolder();
  writeRedisStory(new ProjectLog(folder));
  expect(knowledgeOf(folder).antiPatterns).toEqual([
    {
      pattern: 'npm install redis-node',
      reason: 'npm error 404 Not Found: redis-node is not in this registry',
      occurredAt: '2025-11-18T15:02:00.000Z',
      count: 1,
      fix: 'bun add ioredis',
      confidence: 1 / 3,
    },
  ]);
});

test('keeps the fix when the failure happens again without being solved', () => {
  const folder = temporaryFolder();
  const log = writeRedisStory(new ProjectLog(folder));
  const again = {
    command: 'npm install redis-node',
    error: 'npm error 404 Not Found: redis-node is not in this registry',
    kind: 'missing',
    signature: 'sh npm install redis-node',
  };
  for (const session of ['second', 'third']) {
    log.fails(session, again);
    expect(knowledgeOf(folder).antiPatterns).toMatchObject([{ fix: 'bun add ioredis' }]);
  }
});

test('lists a failure without a fix when it is repeated, with full confidence after three times', () => {
  const folder = temporaryFolder();
  const log = new ProjectLog(folder);
  const deploy = {
    command: 'npm run deploy',
    error: 'npm error Missing script: "deploy"',
    kind: 'usage',
    signature: 'sh npm run deploy',
  };
  log.fails('a', deploy);
  expect(knowledgeOf(folder).antiPatterns).toEqual([]);
  log.fails('b', deploy);
  expect(knowledgeOf(folder).antiPatterns).toMatchObject([{ pattern: 'npm run deploy', count: 2, confidence: 2 / 3 }]);
  log.fails('c', deploy).fails('c', deploy);
  expect(knowledgeOf(folder).antiPatterns).toMatchObject([{ count: 4, confidence: 1 }]);
});

test('drops a failure when the same command has worked since in any session', () => {
  const folder = temporaryFolder();
  const log = new ProjectLog(folder);
  const install = { command: 'npm install soon-published', signature: 'sh npm install soon-published' };
  for (const session of ['a', 'b', 'c']) log.fails(session, { ...install, error: '404 Not Found', kind: 'missing' });
  expect(knowledgeOf(folder).antiPatterns).toHaveLength(1);
  log.succeeds('d', { ...install, kind: 'install' });
  expect(knowledgeOf(folder).antiPatterns).toEqual([]);
});

test('drops a failure after a month, but not a note by the user', () => {
  const folder = temporaryFolder();
  const log = writeRedisStory(new ProjectLog(folder));
  log.fails('redis', { kind: 'note', pattern: 'npm audit fix --force', description: 'Broke the build' });
  const later = NOW + 30 * 24 * 60 * 60 * 1000;
  expect(knowledgeOf(folder, { now: later }).antiPatterns.map(({ pattern }) => pattern)).toEqual([
    'npm audit fix --force',
  ]);
});

test.each([
  ['passes by itself', { command: 'npm install x', error: 'ETIMEDOUT', kind: 'transient' }],
  ['is the state of the work', { command: 'npm test', error: '3 tests failed', kind: 'state' }],
  ['answers a question', { command: 'ls dist', error: 'No such file or directory', kind: 'missing' }],
  [
    'was rejected by the user',
    { command: 'npm publish', error: 'rejected', kind: 'usage', outcome: 'rejected' as const },
  ],
])('never lists what %s', (_, fields) => {
  const folder = temporaryFolder();
  const log = new ProjectLog(folder);
  for (const session of ['a', 'b', 'c', 'd']) log.fails(session, fields);
  expect(knowledgeOf(folder).antiPatterns).toEqual([]);
});

test('never lists a command that only works: that is what the commands of the project are for', () => {
  const folder = temporaryFolder();
  const log = new ProjectLog(folder);
  for (const session of ['a', 'b', 'c', 'd', 'e', 'f']) {
    log
      .succeeds(session, { command: 'make lint', kind: 'lint' })
      .succeeds(session, { command: 'gofmt -w internal/sync.go', kind: 'format' })
      .succeeds(session, { command: 'TODO_COUNT=$(ls todo | wc -l)', kind: 'run' })
      .succeeds(session, { command: 'npm publish', kind: 'run' });
  }
  expect(knowledgeOf(folder).bestPractices).toEqual([]);
});

test('lists what is installed in new checkouts before the first check, with the ratio', () => {
  const folder = temporaryFolder();
  const log = new ProjectLog(folder);
  for (const number of [1, 2, 3, 4, 5]) {
    const circumstances = [`worktree:/home/*/shop-${number}`];
    if (number < 5) log.succeeds(`s${number}`, { command: 'mise install', kind: 'install', circumstances });
    log
      .succeeds(`s${number}`, { command: 'make test', kind: 'test', circumstances })
      .succeeds(`s${number}`, { command: 'npm install left-pad', kind: 'install', circumstances });
  }
  expect(knowledgeOf(folder).bestPractices).toEqual([
    {
      pattern: 'In a new clone or worktree, first mise install',
      reason: 'Usual setup',
      confidence: 0.8,
      evidence: 'before the first check in 4 of 5 checkouts',
    },
  ]);
});

test('learns the workflow: tests before commits', () => {
  const folder = temporaryFolder();
  writeWorkdays(new ProjectLog(folder), 6, (day) => day !== 3);
  const { workflow, bestPractices, summary } = knowledgeOf(folder);
  expect(workflow).toEqual([{ before: 'commit', check: 'test', command: 'bun test', count: 5, total: 6 }]);
  expect(bestPractices[0]).toEqual({
    pattern: 'Run the tests (bun test) before a commit',
    reason: 'Usual workflow',
    confidence: 1,
    evidence: 'before 5 of 6 commits',
  });
  expect(summary).toContain('Before commits, run the tests.');
});

test('counts all commits: several that divide the same work have the same checks', () => {
  const folder = temporaryFolder();
  const log = new ProjectLog(folder);
  for (const session of ['a', 'b']) {
    log.succeeds(session, { tool: 'Edit', path: 'src/a.ts', kind: 'edit' });
    log.succeeds(session, { command: 'go test ./...', kind: 'test' });
    for (const part of ['one', 'two']) log.succeeds(session, { command: `git commit -m ${part}`, kind: 'commit' });
    log.succeeds(session, { tool: 'Edit', path: 'src/b.ts', kind: 'edit' });
    log.succeeds(session, { command: 'git commit -m three', kind: 'commit' });
  }
  expect(knowledgeOf(folder).workflow).toMatchObject([{ check: 'test', command: 'go test ./...', count: 4, total: 6 }]);
});

test('ignores checks that precede only some commits', () => {
  const folder = temporaryFolder();
  writeWorkdays(new ProjectLog(folder), 12, (day) => day % 2 === 0);
  expect(knowledgeOf(folder).workflow).toEqual([]);
});

test('names what was asked for in the same words, but for numbers, on several days', () => {
  const folder = temporaryFolder();
  const log = new ProjectLog(folder);
  writeWorkdays(log, 2, () => false);
  expect(knowledgeOf(folder).recurringTasks).toEqual([]);
  log.at('2025-11-10T09:00:00.000Z').asks('last', 'Prepare the release notes of version 14');
  expect(knowledgeOf(folder).recurringTasks).toEqual([
    { name: 'Prepare the release notes of version 14', sessions: 3, lastAt: '2025-11-10T09:01:00.000Z' },
  ]);
});

test('does not list a single failure of a command that worked with another argument', () => {
  const folder = temporaryFolder();
  const context = 'Look at the state of all worktrees';
  new ProjectLog(folder)
    .asks('a', context)
    .fails('a', {
      command: 'tool -C lost sync --short',
      error: "cannot change to 'lost': No such file",
      kind: 'missing',
      context,
    })
    .succeeds('a', { command: 'tool -C other sync --short', kind: 'run', context })
    .fails('a', {
      command: 'python run.py --all',
      error: 'command not found: python',
      kind: 'missing',
      context,
    })
    .succeeds('a', { command: 'python3 run.py --all', kind: 'run', context });
  expect(knowledgeOf(folder).antiPatterns).toMatchObject([
    { pattern: 'python run.py --all', fix: 'python3 run.py --all' },
  ]);
});

test('names a failed call of another tool by the tool and its argument', () => {
  const folder = temporaryFolder();
  const log = new ProjectLog(folder);
  for (const session of ['a', 'b']) {
    log.fails(session, {
      tool: 'Skill',
      args: { skill: 'commit' },
      error: 'Unknown skill: commit',
      kind: 'missing',
    });
  }
  expect(knowledgeOf(folder).antiPatterns).toMatchObject([
    { pattern: 'Skill commit', reason: 'Unknown skill: commit' },
  ]);
});

test('lists notes by the user first', () => {
  const folder = temporaryFolder();
  const log = new ProjectLog(folder);
  for (let number = 0; number < 12; number++) {
    log.succeeds('a', { kind: 'note', pattern: `Part ${number} has a generator`, description: '' });
  }
  writeWorkdays(log, 6, () => true);
  log.at('2025-11-18T20:00:00.000Z').succeeds('a', {
    kind: 'note',
    pattern: 'Never edit generated files',
    description: 'They are overwritten',
  });
  log.fails('a', { kind: 'note', pattern: 'npm audit fix --force', description: 'Broke the build twice' });
  const { bestPractices, antiPatterns } = knowledgeOf(folder);
  expect(bestPractices).toHaveLength(10);
  expect(bestPractices[0]).toEqual({
    pattern: 'Never edit generated files',
    reason: 'They are overwritten',
    confidence: 1,
    evidence: 'noted by an agent on 2025-11-18',
  });
  expect(antiPatterns).toMatchObject([
    { pattern: 'npm audit fix --force', reason: 'Broke the build twice', confidence: 1 },
  ]);
});

test('keeps the ten anti-patterns of the most sessions', () => {
  const folder = temporaryFolder();
  const log = new ProjectLog(folder);
  for (let number = 0; number < 15; number++) {
    for (let session = 0; session <= number; session++) {
      log.fails(`s-${session}`, {
        command: `tool --flag-${number}`,
        error: `unknown option --flag-${number}`,
        kind: 'usage',
      });
    }
  }
  const { antiPatterns } = knowledgeOf(folder);
  expect(antiPatterns).toHaveLength(10);
  expect(antiPatterns[0]).toMatchObject({ pattern: 'tool --flag-14', count: 15 });
});

test('summarises the tech stack from files and commands', () => {
  const folder = temporaryFolder();
  writeWorkdays(new ProjectLog(folder), 6, () => true);
  const { summary, conventions } = knowledgeOf(folder, { stack: STACK });
  expect(summary).toMatch(/^TypeScript and Python project with React and FastAPI\. /);
  expect(summary).toContain('ests with `npm test`');
  expect(conventions).toEqual(STACK.conventions);
});

test('lists what git hooks run before commits', () => {
  const folder = temporaryFolder();
  writeRedisStory(new ProjectLog(folder));
  const { bestPractices } = knowledgeOf(folder, { stack: { ...STACK, beforeCommit: ['npx lint-staged'] } });
  expect(bestPractices.map(({ pattern }) => pattern)).toEqual(['A git hook runs npx lint-staged before each commit']);
});

test('forgets what a deleted session taught', () => {
  const folder = temporaryFolder();
  const log = writeRedisStory(new ProjectLog(folder));
  log.forgets('redis');
  expect(JSON.stringify(knowledgeOf(folder))).not.toContain('redis');
});
