import { onTestFinished } from 'vitest';
import { MemoryResponder } from '../../src/chat/index.ts';
import { type Home, openHome, type Project } from '../../src/project/index.ts';
import { type AgentSession, playSessions } from '../cli/built/agent.ts';
import { createPlace } from '../cli/built/run-yore.ts';

/** How an answer lists the failure of the story about Redis. */
export const FAILED =
  /^- `npm install redis-node` failed on \d{4}-\d\d-\d\d \(session redis-1\): Package not found: redis-node\. `bun add ioredis` worked instead\.$/m;

/** A project, and a function that asks its memory. */
interface Memory {
  readonly home: Home;
  readonly project: Project;
  readonly folder: string;
  readonly ask: (question: string, sessionId?: string) => Promise<string>;
}

/** The memory of a project with these sessions. */
export function memoryOf(sessions: readonly AgentSession[] = [], now: () => number = Date.now): Memory {
  const place = createPlace();
  playSessions(place, sessions);
  const home = openHome({ home: place.home, env: {}, now });
  onTestFinished(() => home.close());
  const project = home.openProject(place.cwd);
  const responder = new MemoryResponder({ home, project, now });
  const ask = async (prompt: string, sessionId = 'asking'): Promise<string> => {
    const { signal } = new AbortController();
    let text = '';
    for await (const part of responder.respond({ messages: [], prompt, sessionId, signal })) {
      if (part.type === 'text') text += part.text;
    }
    return text;
  };
  return { home, project, folder: place.cwd, ask };
}

/** A reply for {@link withReply}. */
export const CACHE_REPLY =
  'Redis caching is in. The package redis-node does not exist, so I used ioredis: src/cache/redis.ts opens the connection.';

/** Adds a reply of the agent to a session. */
export function withReply(memory: Memory, sessionId: string, content: string): Memory {
  memory.project.history.append({ sessionId, role: 'assistant', content, agent: 'claude-code' });
  return memory;
}
