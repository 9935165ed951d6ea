import { createReadStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';

/** Outcomes of the replay protocol that have another name in yore. */
const STATUS = { nomatch: 'ok', noresult: 'unknown' };

/**
 * Replays prompts, calls and outcomes of recorded sessions, in time order, into a recorder. Uses the time of the events
 * and ignores the state of this machine.
 * @param {import('../dist/project/index.js').Recorder} recorder
 * @param {{ warns?: boolean }} options whether the guard is asked about each call, default true
 */
export function createPlayer(recorder, { warns = true } = {}) {
  /** The folder in which each session started. @type {Map<string, string>} */
  const roots = new Map();
  /** Calls that are still running. @type {Map<string, object>} */
  const running = new Map();
  /** Ids of calls in the protocol by the id of their record. @type {Map<string, string>} */
  const callIds = new Map();
  return {
    prompt({ session, agent, ts, branch, text }) {
      if (session === null || text === null) return;
      recorder.recordPrompt({ sessionId: session, text, timestamp: ts, ...defined({ agent, branch }) });
    },
    /** Replies whether the guard warns of the call. */
    call({ id, session, agent, ts, tool, input, branch, cwd }) {
      const sessionId = session ?? '';
      if (!roots.has(sessionId) && cwd) roots.set(sessionId, cwd);
      const call = {
        ...{ sessionId, callId: id, tool: tool ?? '', input: input ?? {}, timestamp: ts },
        ...defined({ agent, branch, cwd, root: roots.get(sessionId) }),
      };
      running.set(id, call);
      if (!warns) return undefined;
      const given = recorder.warn(call)?.warning;
      if (given === undefined) return { id, warn: false };
      const { confidence, attemptId, text } = given;
      return { id, warn: true, confidence, matched: callIds.get(attemptId), reason: text };
    },
    outcome({ id, ts, status, exit, output }) {
      const call = running.get(id);
      if (call === undefined) return;
      running.delete(id);
      const result = {
        status: STATUS[status] ?? status,
        output: output ?? '',
        ...defined({ exitCode: exit }),
      };
      const attempt = recorder.record({ ...call, timestamp: ts }, result);
      if (attempt !== undefined) callIds.set(attempt.id, id);
    },
  };
}

function defined(fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
}

/**
 * Records the sessions of a corpus in a new home in `folder`, as hooks would.
 * @param {import('./runner/context.mjs').Context} context
 * @param {string} file a corpus, `.jsonl.gz`
 * @param {string} folder
 * @returns the project with the sessions
 */
export async function recordCorpus(context, file, folder) {
  const { openHome } = await context.load('project/index.js');
  const { UNKNOWN_MACHINE } = await context.load('index.js');
  const checkout = join(folder, 'checkout');
  mkdirSync(checkout, { recursive: true });
  const project = openHome({ home: join(folder, 'home'), machine: () => UNKNOWN_MACHINE }).openProject(checkout);
  const player = createPlayer(project.recorder());
  for await (const line of createInterface({ input: createReadStream(file).pipe(createGunzip()) })) {
    const event = JSON.parse(line);
    player[event.type]?.(event);
  }
  return project;
}
