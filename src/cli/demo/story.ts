import type { CallResult, FailureWarning, Recollection, ToolCall } from '../../memory/index.ts';
import type { Home, Project } from '../../project/index.ts';

/** The request of both days. */
export const REQUEST = 'Add Redis caching';

/** What the agent tries on both days. */
export const FAILING = 'npm install redis-node';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const AGENT = 'claude-code';

/** A clock that the story moves. */
export interface StoryClock {
  now: number;
}

/** A step of the first day: what the agent did, and how it ended. */
interface Step {
  readonly minute: number;
  readonly tool: string;
  readonly input: ToolCall['input'];
  readonly result: CallResult;
}

const DAY_ONE: readonly Step[] = [
  {
    minute: 1,
    tool: 'Bash',
    input: { command: FAILING },
    result: { status: 'error', exitCode: 1, output: 'Package not found: redis-node' },
  },
  {
    minute: 4,
    tool: 'Bash',
    input: { command: 'bun add ioredis' },
    result: { status: 'ok', exitCode: 0, output: 'installed ioredis@5.4.1' },
  },
  {
    minute: 7,
    tool: 'Write',
    input: { file_path: 'src/cache/redis.ts', content: "import Redis from 'ioredis';" },
    result: { status: 'ok', output: 'created, 34 lines' },
  },
  {
    minute: 9,
    tool: 'Bash',
    input: { command: 'bun test' },
    result: { status: 'ok', exitCode: 0, output: '12 pass, 0 fail' },
  },
];

/** Records the first day, two days ago, as an agent's hooks would. Returns the id of its session. */
export function playDayOne(home: Home, project: Project, clock: StoryClock, today: number): string {
  const recorder = project.recorder();
  const at = (minute: number): string => {
    clock.now = today - 2 * DAY + minute * MINUTE;
    return new Date(clock.now).toISOString();
  };
  const start = at(0);
  const sessionId = project.history.newSession();
  recorder.prompt({ sessionId, text: REQUEST, timestamp: start, agent: AGENT });
  home.prompts.upsert(REQUEST, project.info.projectHash);
  for (const { minute, tool, input, result } of DAY_ONE) {
    const callId = `call-${minute}`;
    recorder.record({ sessionId, callId, agent: AGENT, tool, input, timestamp: at(minute) }, result);
  }
  at(10);
  project.history.append({
    sessionId,
    role: 'assistant',
    content:
      'Redis caching is in. The package redis-node does not exist, so I used ioredis: src/cache/redis.ts opens the connection, and all tests pass.',
    agent: AGENT,
    filesModified: ['src/cache/redis.ts'],
  });
  recorder.close();
  clock.now = today;
  return sessionId;
}

/** What yore says on the second day. */
export interface DayTwo {
  /** When the request arrives. */
  readonly recollection: Recollection | undefined;
  /** When the agent is about to try the same again. */
  readonly warning: FailureWarning | undefined;
}

/** The second day, just now: the same request, and the same attempt. */
export function playDayTwo(home: Home, project: Project, clock: StoryClock, today: number): DayTwo {
  clock.now = today - MINUTE;
  const recorder = project.recorder();
  const sessionId = project.history.newSession();
  const timestamp = new Date(clock.now).toISOString();
  project.memory.synthesise();
  const recollection = project.memory.recall(REQUEST, { sessionId });
  recorder.prompt({ sessionId, text: REQUEST, timestamp, agent: AGENT });
  home.prompts.upsert(REQUEST, project.info.projectHash);
  const warned = recorder.warn({
    sessionId,
    agent: AGENT,
    tool: 'Bash',
    input: { command: FAILING },
    timestamp,
  });
  recorder.close();
  clock.now = today;
  return { recollection, warning: warned?.warning };
}
