/** Words of the replay protocol for how a call ended. */
const STATUS = { nomatch: 'ok', noresult: 'unknown' };

/**
 * Plays recorded sessions into the product's own recording: prompts, calls and outcomes in time order. Time comes from
 * the events, and nothing of this machine is looked at.
 * @param {import('../dist/project/index.js').Recorder} recorder
 */
export function createPlayer(recorder) {
  /** Where each session works: the folder it started in. @type {Map<string, string>} */
  const roots = new Map();
  /** Calls that have not ended. @type {Map<string, object>} */
  const running = new Map();
  /** The protocol's id of a call, by the id of its record. @type {Map<string, string>} */
  const callOf = new Map();
  return {
    prompt({ session, agent, ts, branch, text }) {
      if (session === null || text === null) return;
      recorder.prompt({ sessionId: session, text, timestamp: ts, ...known({ agent, branch }) });
    },
    /** Answers whether the call would be warned about. */
    call({ id, session, agent, ts, tool, input, branch, cwd }) {
      const sessionId = session ?? '';
      if (!roots.has(sessionId) && cwd) roots.set(sessionId, cwd);
      const call = {
        ...{ sessionId, callId: id, tool: tool ?? '', input: input ?? {}, timestamp: ts },
        ...known({ agent, branch, cwd, root: roots.get(sessionId) }),
      };
      running.set(id, call);
      const given = recorder.warn(call)?.warning;
      if (given === undefined) return { id, warn: false };
      const { confidence, attemptId, text } = given;
      return { id, warn: true, confidence, matched: callOf.get(attemptId), reason: text };
    },
    outcome({ id, ts, status, exit, output }) {
      const call = running.get(id);
      if (call === undefined) return;
      running.delete(id);
      const result = { status: STATUS[status] ?? status, output: output ?? '', ...known({ exitCode: exit }) };
      const attempt = recorder.record({ ...call, timestamp: ts }, result);
      if (attempt !== undefined) callOf.set(attempt.id, id);
    },
  };
}

function known(fields) {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  );
}
