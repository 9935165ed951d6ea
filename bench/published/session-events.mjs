// Prompts, calls and outcomes of a transcript, in the form that the replay and find adapters read.
import { statSync } from 'node:fs';

const MAX_PROMPT = 1_500;
const MAX_INPUT = 4_000;
const MAX_OUTPUT_END = 1_500;
const SEARCHES = /^(?:grep|search|glob|find)/i;
const QUOTED = /"[^"]*"|'[^']*'/g;
const SEARCH_COMMAND = /(?:^|[|;&]\s*|\s)(?:(?:e|f|rip)?grep|rg|ag|git grep|pgrep)\s[^|;&]*$/;

/**
 * @typedef {object} RecordedEvent a prompt or a call, with the outcome of the call
 * @property {'prompt' | 'call'} type
 * @property {string} session
 * @property {string} agent
 * @property {string} ts
 * @property {string | null} branch
 * @property {string} [text] of a prompt
 * @property {string} [tool] of a call, like `input` and `cwd`
 * @property {object} [input]
 * @property {string | null} [cwd]
 * @property {{ts: string, status: string, exit: number | null, output: string}} [outcome]
 */

/**
 * Reads a transcript. Leaves out what another transcript already had, since resumed and forked sessions begin with a
 * copy. Returns undefined for a file that no agent recognises as its own.
 * @param {readonly import('../../dist/agents/index.js').AgentTranscripts[]} agents
 * @param {string} path
 * @param {{sessionId: string | undefined, agent: string | undefined, isKnown: (id: string) => boolean, startedAt: string | undefined, seen: Set<string>}} session
 * `agent`: which one, for a file whose beginning does not show it; `isKnown`: whether a session of that id has a transcript of its own
 * @returns {{sessionId: string | undefined, events: RecordedEvent[]} | undefined}
 */
export function readSessionEvents(agents, path, { sessionId, agent: named, isKnown, startedAt, seen }) {
  const recognised = agents.find((candidate) => recognises(candidate, path));
  const transcripts = recognised ?? agents.find(({ agent }) => agent === named);
  if (transcripts === undefined) return undefined;
  const { agent } = transcripts;
  const events = [];
  /** @type {Map<string, object>} */
  const facts = new Map();
  const calls = new Map();
  let main = sessionId;
  let time = startedAt;
  // Merged at the end: if this transcript turns out to be unreadable, a shorter one may have the same events.
  const own = new Set();
  const isNew = (kind, id) => {
    const key = `${agent} ${kind} ${id}`;
    if (id === undefined) return true;
    return !seen.has(key) && !own.has(key) && own.add(key);
  };
  const describe = (event) => {
    main ??= event.sessionId;
    time = toIso(event.timestamp) ?? time;
    const { branch, cwd, isSubAgent } = facts.get(event.sessionId) ?? {};
    const session = isKnown(event.sessionId) ? event.sessionId : main;
    return { common: { session, agent, ts: time, branch: branch ?? null }, cwd: event.cwd ?? cwd ?? null, isSubAgent };
  };
  const handlers = {
    session({ sessionId: id, parentSessionId, isFork, cwd, branch }) {
      const known = facts.get(id) ?? { isSubAgent: parentSessionId !== undefined && isFork !== true };
      facts.set(id, { ...known, ...(cwd && { cwd }), ...(branch && { branch }) });
    },
    message(event) {
      const { common, isSubAgent } = describe(event);
      // What a sub-agent is asked was written by its parent.
      if (event.role !== 'user' || event.isSystem || event.kind || isSubAgent || event.text.trim() === '') return;
      if (isNew('message', event.id)) events.push({ type: 'prompt', ...common, text: event.text.slice(0, MAX_PROMPT) });
    },
    call(event) {
      const { common, cwd } = describe(event);
      if (!isNew('call', event.callId)) return;
      const call = { type: 'call', ...common, tool: event.tool, input: shorten(event.input), cwd };
      calls.set(event.callId, call);
      events.push(call);
    },
    result(event) {
      const { common } = describe(event);
      const call = calls.get(event.callId);
      if (call !== undefined) call.outcome = toOutcome(call, event.result, common.ts);
    },
  };
  for (const event of transcripts.read({ agent, path, size: statSync(path).size, stamp: '' }).events) {
    handlers[event.type]?.(event);
  }
  if (recognised === undefined && events.length === 0) return undefined;
  for (const key of own) seen.add(key);
  return { sessionId: main, events: events.flatMap((event) => complete(event, time)) };
}

function toIso(timestamp) {
  const time = Date.parse(timestamp ?? '');
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

function recognises(agent, path) {
  try {
    return agent.recognises(path);
  } catch {
    return false;
  }
}

/** Leaves out what has no time; a call without an outcome ends with the session. */
function complete(event, end) {
  if (event.ts === undefined) return [];
  if (event.type === 'prompt') return [event];
  const outcome = event.outcome ?? { ts: end, status: 'noresult', exit: null, output: '' };
  return [{ ...event, outcome: outcome.ts < event.ts ? { ...outcome, ts: event.ts } : outcome }];
}

function toOutcome(call, { status, exitCode, output = '' }, ts) {
  const known = status === 'unknown' ? 'noresult' : status;
  const foundNothing =
    exitCode === 1 && output.trim() === '' && isSearch(call) && (status === 'ok' || status === 'error');
  return { ts, status: foundNothing ? 'nomatch' : known, exit: exitCode ?? null, output: ends(output) };
}

/** Whether exit code 1 means that nothing was found. */
function isSearch({ tool, input }) {
  const command = [input.command ?? input.cmd ?? ''].flat().join(' ');
  return SEARCHES.test(tool) || SEARCH_COMMAND.test(command.trim().replace(QUOTED, "''"));
}

function ends(text) {
  if (text.length <= 2 * MAX_OUTPUT_END) return text;
  return `${text.slice(0, MAX_OUTPUT_END)}\n…\n${text.slice(-MAX_OUTPUT_END)}`;
}

/** Truncates the strings in a value. */
function shorten(value) {
  if (typeof value === 'string') return value.slice(0, MAX_INPUT);
  if (Array.isArray(value)) return value.map(shorten);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shorten(item)]));
}
