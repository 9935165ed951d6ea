import { openHome, type Project } from '../../../src/project/index.ts';
import type { Place } from './run-yore.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** What an agent did: a command, a file it wrote or a question it asked, and the error it ended with, if any. */
interface Done {
  readonly command?: string;
  readonly asks?: { readonly question: string; readonly answer: string };
  readonly writes?: string;
  readonly error?: string;
  readonly output?: string;
}

/** A session of an agent, so many days ago. */
export interface AgentSession {
  readonly sessionId: string;
  readonly daysAgo: number;
  readonly request: string;
  readonly done: readonly Done[];
  /** What the user says at the end. */
  readonly feedback?: string;
}

/** Records sessions as an agent's hooks would: every call through the guard, then how it ended. */
export function playSessions(place: Place, sessions: readonly AgentSession[]): void {
  let now = Date.now();
  const home = openHome({ home: place.home, env: {}, now: () => now });
  try {
    const project = home.openProject(place.cwd);
    for (const session of sessions) playSession(project, session, (at) => (now = at));
  } finally {
    home.close();
  }
}

/** When a session is played, in epoch milliseconds. */
export function startOf({ daysAgo }: AgentSession): number {
  return Date.now() - daysAgo * DAY - 30 * MINUTE;
}

function playSession(project: Project, session: AgentSession, setClock: (at: number) => void): void {
  const { sessionId, request, feedback } = session;
  const recorder = project.recorder();
  let at = startOf(session);
  const tick = (): string => {
    at += MINUTE;
    setClock(at);
    return new Date(at).toISOString();
  };
  recorder.recordPrompt({ sessionId, text: request, timestamp: tick(), agent: 'claude-code' });
  for (const [index, done] of session.done.entries()) {
    const { asks, error, output } = done;
    const call = {
      ...{ sessionId, callId: `call-${index}`, agent: 'claude-code' },
      ...toToolCall(done),
      timestamp: tick(),
    };
    const answered = asks && `User has answered your questions: "${asks.question}"="${asks.answer}".`;
    recorder.warn(call);
    recorder.record(
      call,
      error === undefined
        ? { status: 'ok', exitCode: 0, output: answered ?? output ?? 'done' }
        : { status: 'error', exitCode: 1, output: error },
    );
  }
  if (feedback !== undefined)
    recorder.recordPrompt({ sessionId, text: feedback, timestamp: tick(), agent: 'claude-code' });
}

function toToolCall({ command, asks, writes }: Done): {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
} {
  if (asks !== undefined) return { tool: 'AskUserQuestion', input: { questions: [{ question: asks.question }] } };
  if (command !== undefined) return { tool: 'Bash', input: { command } };
  return { tool: 'Write', input: { file_path: writes, content: 'x' } };
}

/** The first day of the Redis story: a package that does not exist, then one that does. */
export const REDIS: AgentSession = {
  sessionId: 'redis-1',
  daysAgo: 1,
  request: 'Add Redis caching',
  done: [
    { command: 'npm install redis-node', error: 'Package not found: redis-node' },
    { command: 'bun add ioredis', output: 'installed ioredis@5.4.1' },
    { writes: 'src/cache/redis.ts' },
    { command: 'bun test', output: '12 pass, 0 fail' },
  ],
};

/** The first day of the authentication story: three failures, then JWT works. */
export const AUTHENTICATION: AgentSession = {
  sessionId: 'auth-1',
  daysAgo: 2,
  request: 'Add authentication',
  done: [
    { command: 'npm install passport-magic', error: 'Package not found: passport-magic' },
    { command: 'authgen init', error: 'bash: authgen: command not found' },
    { command: 'npm run auth:setup', error: 'npm error Missing script: "auth:setup"' },
    { command: 'npm install jsonwebtoken', output: 'added 15 packages' },
    { writes: 'src/auth/jwt.ts' },
    { command: 'npm test', output: '8 passing' },
  ],
  feedback: 'perfect, that worked',
};

/** A session in which the user decides where the relay listens, and a later one in which that changes. */
export const RELAY: readonly AgentSession[] = [
  {
    sessionId: 'relay-1',
    daysAgo: 9,
    request: 'Add the relay',
    done: [
      { asks: { question: 'Which port does the relay use?', answer: '8443' } },
      { asks: { question: 'Where are traces of the gateway kept?', answer: 'SQLite, one file for each day' } },
    ],
  },
  {
    sessionId: 'relay-2',
    daysAgo: 2,
    request: 'Move the relay behind the proxy',
    done: [{ asks: { question: 'Which port does the relay use?', answer: '9000' } }],
  },
];
