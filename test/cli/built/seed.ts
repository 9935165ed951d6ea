import { openHome } from '../../../src/project/index.ts';
import type { Place } from './run-yore.ts';

/** Ids of the sessions that {@link seed} records. */
export interface Seeded {
  readonly redis: string;
  readonly login: string;
}

const HOUR = 3_600_000;

/** Records two sessions through the library: one about Redis with attempts, one about a login test in Japanese. */
export function seed(place: Place): Seeded {
  let now = Date.now() - 50 * HOUR;
  const home = openHome({ home: place.home, now: () => now });
  try {
    const project = home.openProject(place.cwd);
    const redis = project.history.newSession();
    project.history.append({
      role: 'user',
      content: 'Add Redis caching',
      agent: 'claude-code',
      branch: 'main',
    });
    home.prompts.upsert('Add Redis caching', project.info.projectHash);
    now += 60_000;
    const call = { sessionId: redis, agent: 'claude-code', context: 'Add Redis caching' };
    project.record({
      ...call,
      outcome: 'failure',
      tool: 'run_command',
      command: 'npm install redis-node',
      error: 'Package not found: redis-node',
      exitCode: 1,
    });
    now += 60_000;
    project.record({
      ...call,
      outcome: 'success',
      tool: 'run_command',
      command: 'bun add ioredis',
      result: 'installed',
    });
    now += 60_000;
    project.history.append({
      role: 'assistant',
      content: 'Done with ioredis: see src/cache/redis.ts and getUserById.',
      agent: 'claude-code',
      filesModified: ['src/cache/redis.ts'],
    });
    now += 47 * HOUR;
    const login = project.history.newSession();
    project.history.append({
      role: 'user',
      content: 'ログインのテストを直して',
      agent: 'codex',
      branch: 'fix/login',
    });
    home.prompts.upsert('ログインのテストを直して', project.info.projectHash);
    return { redis, login };
  } finally {
    home.close();
  }
}
