import type { Home, Project } from '../../project/index.ts';

/** The request of both days. */
export const REQUEST = 'Add Redis caching';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** A clock that the story moves. */
export interface StoryClock {
  now: number;
}

/**
 * Records the two days as an agent would: the first, two days ago, with a package that does not exist and one
 * that works; the second, just now, with the same request. Returns the ids of the two sessions.
 */
export function playStory(
  home: Home,
  project: Project,
  clock: StoryClock,
  today: number,
): readonly [string, string] {
  const agent = 'claude-code';
  const at = (minute: number): void => {
    clock.now = today - 2 * DAY + minute * MINUTE;
  };

  at(0);
  const dayOne = project.history.newSession();
  const call = { sessionId: dayOne, agent, context: REQUEST };
  project.history.append({ role: 'user', content: REQUEST, agent });
  home.prompts.upsert(REQUEST, project.info.projectHash);
  at(1);
  project.record({
    ...call,
    outcome: 'failure',
    tool: 'run_command',
    command: 'npm install redis-node',
    error: 'Package not found: redis-node',
    exitCode: 1,
    tags: ['dependency', 'redis'],
  });
  at(4);
  project.record({
    ...call,
    outcome: 'success',
    tool: 'run_command',
    command: 'bun add ioredis',
    result: 'installed ioredis@5.4.1',
    tags: ['dependency', 'redis'],
  });
  at(7);
  project.record({
    ...call,
    outcome: 'success',
    tool: 'write_file',
    path: 'src/cache/redis.ts',
    result: 'created, 34 lines',
    tags: ['redis', 'cache'],
  });
  at(9);
  project.record({
    ...call,
    outcome: 'success',
    tool: 'test_run',
    command: 'bun test',
    result: '12 pass, 0 fail',
    kind: 'test',
    tags: ['testing'],
  });
  at(10);
  project.history.append({
    role: 'assistant',
    content:
      'Redis caching is in. The package redis-node does not exist, so I used ioredis: src/cache/redis.ts opens the connection, and all tests pass.',
    agent,
    filesModified: ['src/cache/redis.ts'],
  });

  clock.now = today - MINUTE;
  const dayTwo = project.history.newSession();
  project.history.append({ role: 'user', content: REQUEST, agent });
  home.prompts.upsert(REQUEST, project.info.projectHash);
  clock.now = today;
  return [dayOne, dayTwo];
}
