import { appendRecord, type LogName, openSegmentPath } from '../../src/log/index.ts';
import type { Attempt, Message } from '../../src/record/index.ts';
import { catchUp } from '../../src/store/catch-up.ts';
import { openEmptyStore } from '../../src/store/index-store.ts';
import { type ProjectRows, rowsOfProject } from '../../src/store/project-rows.ts';

const PROJECT = 'app';

/** The rows of a project with the logs of a folder. */
export function rowsOf(folder: string): ProjectRows {
  const connection = openEmptyStore();
  catchUp(connection, [{ id: PROJECT, directory: folder }]);
  return rowsOfProject(connection, PROJECT);
}

/** Fields of an attempt that a test sets. */
export type Did = Partial<Attempt> & { readonly at?: string };

/** Writes the logs of a project, one record a minute unless a time is given. */
export class ProjectLog {
  readonly folder: string;
  #time: number;
  #count = 0;

  constructor(folder: string, start = '2025-11-18T15:00:00.000Z') {
    this.folder = folder;
    this.#time = Date.parse(start);
  }

  /** Continues at another time. */
  at(time: string): this {
    this.#time = Date.parse(time);
    return this;
  }

  asks(sessionId: string, content: string, fields: Partial<Message> = {}): this {
    return this.#message(sessionId, 'user', content, fields);
  }

  replies(sessionId: string, content: string, fields: Partial<Message> = {}): this {
    return this.#message(sessionId, 'assistant', content, fields);
  }

  succeeds(sessionId: string, fields: Did): this {
    return this.#attempt('successes', sessionId, { outcome: 'success', ...fields });
  }

  fails(sessionId: string, fields: Did): this {
    return this.#attempt('failures', sessionId, { outcome: 'failure', ...fields });
  }

  forgets(sessionId: string): this {
    return this.#append('history', { kind: 'tombstone', sessionId });
  }

  #message(sessionId: string, role: 'user' | 'assistant', content: string, fields: Partial<Message>): this {
    return this.#append('history', { sessionId, role, content, agent: 'claude-code', ...fields });
  }

  #attempt(log: LogName, sessionId: string, { at, ...fields }: Did): this {
    if (at !== undefined) this.at(at);
    return this.#append(log, { sessionId, agent: 'claude-code', tool: 'Bash', ...fields });
  }

  #append(log: LogName, fields: object): this {
    this.#time += 60_000;
    appendRecord(openSegmentPath(this.folder, log), {
      v: 1,
      id: `${this.#time}-${this.#count++}`,
      timestamp: new Date(this.#time).toISOString(),
      ...fields,
    });
    return this;
  }
}

/** The day of the Redis story: a package that does not exist, and the one that works. */
export function writeRedisStory(log: ProjectLog, sessionId = 'redis'): ProjectLog {
  const context = 'Add Redis caching to the API';
  return log
    .asks(sessionId, context, { branch: 'main' })
    .fails(sessionId, {
      command: 'npm install redis-node',
      error: 'npm error code E404\nnpm error 404 Not Found: redis-node is not in this registry',
      context,
      kind: 'missing',
      signature: 'sh npm install redis-node',
    })
    .succeeds(sessionId, {
      command: 'bun add ioredis',
      result: 'installed ioredis',
      context,
      kind: 'install',
      signature: 'sh bun add ioredis',
      tags: ['dependency', 'redis'],
    })
    .succeeds(sessionId, { tool: 'Write', path: 'src/cache/redis.ts', context, kind: 'create' })
    .succeeds(sessionId, { tool: 'Edit', path: 'src/cache/redis.ts', context, kind: 'edit' })
    .succeeds(sessionId, { tool: 'Read', path: 'src/index.ts', context, kind: 'read' })
    .succeeds(sessionId, { command: 'cd /app && bun test 2>&1 | tail -20', context, kind: 'test' })
    .succeeds(sessionId, {
      command: 'git commit -am "Cache answers in Redis"',
      result: '[main 1a2b3c4] Cache answers in Redis\n 2 files changed',
      context,
      kind: 'commit',
    });
}
