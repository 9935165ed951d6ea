// The product's recording and guard behind JSON lines: a project, then prompts, calls and outcomes in time order; each
// call is answered with whether it would be warned about. Time comes from the events; nothing of this machine is looked at.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { UNSEEN } from '../../dist/memory/index.js';
import { openHome } from '../../dist/project/index.js';

/** Words of the protocol for how a call ended. */
const STATUS = { nomatch: 'ok', noresult: 'unknown' };

const folder = mkdtempSync(join(tmpdir(), 'yore-replay-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

let recorder;
/** Where each session works: the folder it started in. @type {Map<string, string>} */
const roots = new Map();
/** Calls that have not ended. @type {Map<string, object>} */
const running = new Map();
/** The protocol's id of a call, by the id of its record. @type {Map<string, string>} */
const callOf = new Map();

function begin({ name }) {
  const checkout = join(folder, 'checkout');
  mkdirSync(checkout);
  const home = openHome({ home: join(folder, name ?? 'home'), world: () => UNSEEN });
  recorder = home.openProject(checkout).recorder();
}

function prompt({ session, agent, ts, branch, text }) {
  if (session === null || text === null) return;
  recorder.prompt({ sessionId: session, text, timestamp: ts, ...known({ agent, branch }) });
}

function call({ id, session, agent, ts, tool, input, branch, cwd }) {
  const sessionId = session ?? '';
  if (!roots.has(sessionId) && cwd) roots.set(sessionId, cwd);
  const made = {
    ...{ sessionId, callId: id, tool: tool ?? '', input: input ?? {}, timestamp: ts },
    ...known({ agent, branch, cwd, root: roots.get(sessionId) }),
  };
  running.set(id, made);
  const given = recorder.warn(made)?.warning;
  if (given === undefined) return { id, warn: false };
  const { confidence, attemptId, text } = given;
  return { id, warn: true, confidence, matched: callOf.get(attemptId), reason: text };
}

function outcome({ id, ts, status, exit, output }) {
  const made = running.get(id);
  if (made === undefined) return;
  running.delete(id);
  const result = { status: STATUS[status] ?? status, output: output ?? '', ...known({ exitCode: exit }) };
  const attempt = recorder.record({ ...made, timestamp: ts }, result);
  if (attempt !== undefined) callOf.set(attempt.id, id);
}

function known(fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
}

const ACTIONS = { project: begin, prompt, call, outcome };

createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
  if (line.trim() === '') return;
  const event = JSON.parse(line);
  const reply = ACTIONS[event.type]?.(event);
  if (reply !== undefined) process.stdout.write(`${JSON.stringify(reply)}\n`);
});
