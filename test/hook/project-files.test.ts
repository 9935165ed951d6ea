import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temp-folder.ts';
import { ClaudeSession } from './claude-session.ts';

const NOW = Date.parse('2025-11-18T09:00:00.000Z');
const DAY = 86_400_000;
const REQUEST = 'Add Redis caching to the API';
const MISSING = {
  error: 'Exit code 1\nnpm error code E404\nnpm error 404 Not Found - GET https://registry.example/redis-node',
};

/** The folder of the only project. */
function projectFolder({ home }: ClaudeSession): string {
  const [id = ''] = readdirSync(join(home, 'projects'));
  return join(home, 'projects', id);
}

function readDocument(session: ClaudeSession, name: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(join(projectFolder(session), name), 'utf8'));
}

function readLog(session: ClaudeSession, name: string): readonly Readonly<Record<string, unknown>>[] {
  const text = readFileSync(join(projectFolder(session), `${name}.jsonl`), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** A day on which a package is missing, another one works, and the result is tested, built and committed. */
async function work(folder: string, id: string, at: number): Promise<ClaudeSession> {
  const session = new ClaudeSession(folder, id, at);
  const scripts = { test: 'vitest run', build: 'vite build' };
  const devDependencies = { typescript: '5', vitest: '3', vite: '7', prettier: '3' };
  const manifest = { type: 'module', scripts, dependencies: { react: '19' }, devDependencies };
  writeFileSync(join(session.cwd, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(session.cwd, 'package-lock.json'), '{}');
  mkdirSync(join(session.cwd, 'src'), { recursive: true });
  writeFileSync(join(session.cwd, 'src', 'cache.test.ts'), "import { it } from 'vitest';\n");
  await session.fire('UserPromptSubmit', { prompt: REQUEST });
  await session.run('npm install redis-node', MISSING);
  await session.run('npm install ioredis', { stdout: 'added 9 packages' });
  await session.fire('PostToolUse', {
    tool_name: 'Bash',
    tool_input: { command: 'npm test -- src/cache.test.ts' },
    tool_use_id: `${id}-test`,
    tool_response: { stdout: 'Tests  12 passed', stderr: '' },
    duration_ms: 412,
  });
  await session.run('npm run build', { stdout: 'built in 2.41s' });
  await session.run('git commit -m "Cache answers in Redis"', {
    stdout: '[main 1a2b3c4] Cache answers in Redis\n 2 files changed, 40 insertions(+)',
  });
  return session;
}

describe('the files of a project', () => {
  it('index.json has its path, names, times, number of sessions, tech stack and commands', async () => {
    const session = await work(temporaryFolder(), 'monday', NOW);
    await session.fire('Stop');
    expect(readDocument(session, 'index.json')).toMatchObject({
      projectPath: session.cwd,
      projectHash: projectFolder(session).slice(-8),
      displayName: 'shop',
      firstSeen: expect.stringMatching(/^2025-11-18T09:00:/),
      lastActiveAt: expect.stringMatching(/^2025-11-18T09:00:/),
      sessionCount: 1,
      techStack: {
        languages: ['TypeScript'],
        frameworks: ['React'],
        tools: expect.arrayContaining(['Vite', 'Vitest', 'Prettier']),
      },
      patterns: { testCommand: 'npm test', buildCommand: 'npm run build', packageManager: 'npm' },
    });
  });

  it('failures.jsonl has each failed call with time, session, tool, command, error, request and tags', async () => {
    const session = await work(temporaryFolder(), 'monday', NOW);
    await session.fire('Stop');
    expect(readLog(session, 'failures')).toMatchObject([
      {
        timestamp: expect.stringMatching(/^2025-11-18T09:00:/),
        sessionId: 'monday',
        tool: 'Bash',
        command: 'npm install redis-node',
        error: expect.stringContaining('404 Not Found'),
        context: REQUEST,
        tags: expect.arrayContaining(['dependency', 'redis']),
      },
    ]);
  });

  it('successes.jsonl has calls, tests with files and duration, builds with output, and commits with message', async () => {
    const session = await work(temporaryFolder(), 'monday', NOW);
    await session.fire('Stop');
    const common = { sessionId: 'monday', tool: 'Bash', context: REQUEST };
    expect(readLog(session, 'successes')).toMatchObject([
      { ...common, command: 'npm install ioredis', result: 'added 9 packages', kind: 'install' },
      {
        ...common,
        command: 'npm test -- src/cache.test.ts',
        kind: 'test',
        testFiles: ['src/cache.test.ts'],
        durationMs: 412,
      },
      { ...common, command: 'npm run build', kind: 'build', result: 'built in 2.41s' },
      {
        ...common,
        command: 'git commit -m "Cache answers in Redis"',
        kind: 'commit',
        result: expect.stringContaining('2 files changed'),
      },
    ]);
  });

  it('record what the user says about the previous call: "that worked" and "try again"', async () => {
    const session = await work(temporaryFolder(), 'monday', NOW);
    await session.fire('UserPromptSubmit', { prompt: 'that worked' });
    await session.run('npm run deploy', { stdout: 'deployed' });
    await session.fire('UserPromptSubmit', { prompt: 'that failed, the page is blank. try again' });
    await session.fire('Stop');
    const said = { kind: 'feedback', context: REQUEST };
    expect(readLog(session, 'successes')).toContainEqual(
      expect.objectContaining({
        ...said,
        command: 'git commit -m "Cache answers in Redis"',
        description: 'that worked',
      }),
    );
    expect(readLog(session, 'failures').at(-1)).toMatchObject({
      ...said,
      command: 'npm run deploy',
      description: 'that failed, the page is blank. try again',
    });
  });

  it('knowledge.json has a summary, what to avoid and why, what works and how sure that is, and conventions', async () => {
    const folder = temporaryFolder();
    let session = await work(folder, 'day-0', NOW);
    for (let day = 1; day < 5; day++) {
      session = new ClaudeSession(folder, `day-${day}`, NOW + day * DAY);
      await session.run('npm test', { stdout: 'Tests  12 passed' });
      await session.run('git commit -m "Part of the cache"', { stdout: '[main 1a2b3c4] Part of the cache' });
      await session.fire('Stop');
    }
    const knowledge = readDocument(session, 'knowledge.json');
    expect(knowledge).toMatchObject({
      updatedAt: expect.stringMatching(/^2025-11-22T/),
      summary: expect.stringMatching(
        /^TypeScript project with React\. Packages with npm, .*Before commits, run the tests\.$/,
      ),
      conventions: { testPattern: '*.test.ts', importStyle: 'ES modules', formatter: 'prettier' },
    });
    expect(knowledge.antiPatterns).toMatchObject([
      {
        pattern: 'npm install redis-node',
        reason: expect.stringContaining('404 Not Found'),
        occurredAt: expect.stringMatching(/^2025-11-18T09:00:/),
        alternative: 'npm install ioredis',
      },
    ]);
    expect(knowledge.bestPractices).toContainEqual(
      expect.objectContaining({
        pattern: 'Run the tests (npm test) before a commit',
        reason: 'Usual workflow',
        confidence: 1,
      }),
    );
  });

  it('knowledge.json is written when something has changed, for its owner only', async () => {
    const session = await work(temporaryFolder(), 'monday', NOW);
    await session.fire('Stop');
    const path = join(projectFolder(session), 'knowledge.json');
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
    const written = readFileSync(path, 'utf8');
    session.now += DAY;
    await session.fire('UserPromptSubmit', { prompt: 'Explain the cache' });
    await session.fire('Stop');
    expect(readFileSync(path, 'utf8')).toBe(written);
    await session.run('npm install left-pad-2', MISSING);
    await session.run('npm install left-pad', { stdout: 'added 1 package' });
    await session.fire('Stop');
    expect(readDocument(session, 'knowledge.json')).toMatchObject({
      updatedAt: expect.stringMatching(/^2025-11-19T/),
      antiPatterns: expect.arrayContaining([expect.objectContaining({ pattern: 'npm install left-pad-2' })]),
    });
  });

  it.each([
    [29, []],
    [32, ['failures-1.jsonl']],
  ])('keep failures of %i days ago in %j of the archive, and all successes in the log', async (days, archived) => {
    const folder = temporaryFolder();
    const old = await work(folder, 'old', NOW - days * DAY);
    await old.fire('Stop');
    const session = new ClaudeSession(folder, 'today', NOW);
    await session.run('npm test', { stdout: 'Tests  12 passed' });
    await session.fire('Stop');
    const names = readdirSync(projectFolder(session));
    expect(names.includes('archive') ? readdirSync(join(projectFolder(session), 'archive')) : []).toEqual(archived);
    expect(readLog(session, 'successes')).toHaveLength(5);
  });
});
