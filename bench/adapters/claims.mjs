// What the memory concludes, as JSON lines, through the doors that users have.
//   node bench/adapters/claims.mjs [--dist DIR]                            failures: what is said about each failed call
//     reads a project, then prompts, calls and outcomes in time order, and "conclude"
//   node bench/adapters/claims.mjs --home DIR --project NAME [--dist DIR]  sessions: their titles, decisions, corrections, the project's commands
//     imports the transcripts that agents left in DIR
//   --dist: use another build
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { builtPath, loadBuilt } from '../build-modules.mjs';
import { createPlayer } from '../replay.mjs';

/** A new session begins this long after one has ended. */
const PAUSE_MS = 3_600_000;

const { values, positionals } = parseArgs({
  options: { home: { type: 'string' }, project: { type: 'string' }, dist: { type: 'string' } },
  allowPositionals: true,
});
// Without `--` before them, npm passes on the values of options only.
const [agentHome = values.home, projectName = values.project] = positionals;
if (agentHome === undefined) await concludeFailures();
else await concludeSessions(agentHome, projectName);

function print(claim) {
  process.stdout.write(`${JSON.stringify(claim)}\n`);
}

async function concludeFailures() {
  const { UNKNOWN_MACHINE } = await loadBuilt('index.js');
  const { buildSessionRows, callsOf, openHome } = await loadBuilt('project/index.js');
  const folder = mkdtempSync(join(tmpdir(), 'yore-claims-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const checkout = join(folder, 'checkout');
  mkdirSync(checkout);
  const events = [];
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue;
    const event = JSON.parse(line);
    if (event.type === 'conclude') break;
    if (event.type !== 'project') events.push(event);
  }
  let clock = Date.parse(events[0]?.ts);
  const home = openHome({ home: join(folder, 'home'), machine: () => UNKNOWN_MACHINE, now: () => clock });
  const project = home.openProject(checkout);
  const player = createPlayer(project.recorder(), { warns: false });

  const ends = [...endOfSessions(events)].sort(([, a], [, b]) => a - b);
  const claims = new Map();
  const conclude = (sessionId, end) => {
    clock = end + PAUSE_MS;
    const calls = readCalls(sessionId);
    const failed = calls.filter(({ attempt }) => attempt.outcome === 'failure');
    if (failed.length === 0) return;
    project.memory.overview();
    const isActive = activeAfter(sessionId);
    for (const { attempt, error = '' } of failed) {
      claims.set(attempt.callId, {
        ...{ claim: 'failure', id: attempt.callId, cause: error },
        ...{ fix: null, active: isActive(attempt) },
      });
    }
  };
  /** What solved a failure may be found out in a later session. */
  const addFixes = (calls) => {
    const made = new Map(calls.map(({ attempt }) => [attempt.id, attempt]));
    for (const { attempt, fix: other, workedAgain } of calls) {
      const fix = made.get((other ?? workedAgain)?.id);
      const claim = claims.get(attempt.callId);
      if (fix !== undefined && claim !== undefined) claim.fix = { by: fix.callId, text: callText(fix) };
    }
  };
  const readCalls = (sessionId) => {
    home.catchUp();
    if (project.history.getSessionRecords(sessionId).attempts.length === 0) return [];
    return buildSessionRows(project.session(sessionId)).flatMap(callsOf);
  };
  /** Whether the active warnings or the briefing of a session that begins now mention a failed call of this one. */
  const activeAfter = (sessionId) => {
    const warnings = project.memory.failures().filter(({ sessions }) => sessions.includes(sessionId));
    const briefed = failedCalls(project.memory.briefing().text);
    return (attempt) => {
      const text = oneLine(callText(attempt));
      const isListed = ({ at, what }) => at === attempt.timestamp || oneLine(what) === text;
      return warnings.some(isListed) || briefed.some((what) => text.includes(what));
    };
  };

  for (const event of events) {
    const now = Date.parse(event.ts);
    while (ends.length > 0 && ends[0][1] + PAUSE_MS < now) conclude(...ends.shift());
    clock = now;
    player[event.type]?.(event);
  }
  for (const end of ends) conclude(...end);
  addFixes([...endOfSessions(events).keys()].flatMap(readCalls));
  for (const claim of claims.values()) print(claim);
}

/** When each session ended, as far as events tell: outcomes belong to the session of their call. */
function endOfSessions(events) {
  const sessions = new Map();
  const ends = new Map();
  for (const { type, id, session, ts } of events) {
    if (type === 'call') sessions.set(id, session ?? '');
    const of = type === 'outcome' ? sessions.get(id) : (session ?? '');
    if (of !== undefined) ends.set(of, Math.max(ends.get(of) ?? 0, Date.parse(ts)));
  }
  return ends;
}

/** The command of a call, or the file that it is about. */
function callText({ command, path, description = '' }) {
  return command ?? path ?? description;
}

function oneLine(text) {
  return text.replace(/\s+/g, ' ').trim();
}

/** The calls of which a briefing says that they failed, as far as it quotes them. */
function failedCalls(briefing) {
  return [...briefing.matchAll(/^- .*?`([^`]+)` failed/gm)].map(([, what]) => oneLine(what.replace(/…$/, '')));
}

async function concludeSessions(folder, name) {
  const yore = (...args) => {
    const command = [builtPath('cli/main.cjs'), ...args, '--json', '--home', join(folder, '.yore')];
    const env = { ...process.env, HOME: folder };
    return JSON.parse(
      execFileSync(process.execPath, command, { env, cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 }),
    );
  };
  yore('import');
  for (const { sessionId, title } of yore('sessions', '--limit', '100000').sessions) {
    print({ claim: 'title', session: sessionId, text: title });
  }
  const { openHome } = await loadBuilt('project/index.js');
  const home = openHome({ home: join(folder, '.yore') });
  for (const { id } of yore('projects').projects) {
    for (const { kind, sessionId, text } of home.findProjectByName(id).memory.conclusions({ all: true }))
      print({ claim: kind, session: sessionId, text });
  }
  home.close();
  // Clones and worktrees may be projects of their own: asked about is the one with the most sessions.
  const [project] = yore('projects')
    .projects.filter((each) => each.name === name)
    .sort((a, b) => b.sessions - a.sessions);
  if (project === undefined) return;
  const { patterns = {} } = yore('knowledge', '--project', project.id);
  for (const [key, text] of Object.entries(patterns)) {
    if (key.endsWith('Command')) print({ claim: 'command', action: key.replace('Command', ''), text });
  }
}
