// Prints what a home's doors answer to questions about its projects, one JSON line per question and door, sorted: run it with
// two builds over homes made from the same transcripts, and compare the files.
//   node bench/answers.mjs HOME [--dist DIR] [--calls N] > FILE
// Asks the command line, the RPC server, the MCP server, hooks, the library and the chat without a model, in a copy of the
// home, an hour after the last recorded activity. Two runs of a build print the same. Ids of records are left out, because
// each import makes its own.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    dist: { type: 'string', default: fileURLToPath(new URL('../dist', import.meta.url)) },
    calls: { type: 'string', default: '40' },
  },
});
const dist = resolve(options.dist);
const folder = mkdtempSync(join(tmpdir(), 'yore-answers-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const homeFolder = join(folder, 'home');
cpSync(resolve(positionals[0] ?? '.'), homeFolder, { recursive: true });
const cwd = join(folder, 'elsewhere');
mkdirSync(cwd);

const HOUR_MS = 3_600_000;
/** Ids of records, the times of this run, and names that versions call differently. */
const NAMES = new Map([
  ['resolution', 'fix'],
  ['alternative', 'fix'],
]);
const LEFT_OUT = new Set(['updatedAt', 'attemptId', 'confidence']);

const { openHome } = await load('project/index.js');
const { openChat } = await load('chat/index.js');
const clock = { ahead: 0 };
const now = () => Date.now() + clock.ahead;
const env = { PATH: join(folder, 'no-programs') };
const home = openHome({ home: homeFolder, env, now });
const projects = home.projects().map((info) => home.findProjectByName(info.projectHash));
clock.ahead = Math.max(...projects.map(({ info }) => Date.parse(info.lastActiveAt))) + HOUR_MS - Date.now();
const lines = [];
home.catchUp();

const server = await startServer();
for (const project of projects) await askAbout(project);
server.stop();
home.close();
process.stdout.write(`${lines.toSorted().join('\n')}\n`);

async function load(path) {
  return await import(pathToFileURL(join(dist, path)).href);
}

async function askAbout(project) {
  const { projectHash: id, displayName: name } = project.info;
  const { failed, worked, sessions } = readCalls(id);
  if (failed.length === 0) return;
  const add = (question, door, answer) => lines.push(JSON.stringify({ project: name, question, door, answer }));
  // Lists come first: hooks record the warnings that they give.
  for (const failure of runJson(['failures', '--all', '--limit', '1000', '--project', id]).failures)
    add(`failure ${failure.id}`, 'command line', describeFailure(failure));
  const listings = {
    'command line': runJson(['failures', '--limit', '1000', '--project', id]).failures.map(describeFailure),
    library: project.memory.failures().map(describeFailure),
    mcp: (await server.tool('failures', { limit: 50, project: id })).active?.map(describeFailure),
    server: (await server.call('memory.get', { project: id })).antiPatterns.map(describeFailure),
    overview: (await server.call('project.overview', { project: id })).warnings,
  };
  for (const [door, answer] of Object.entries(listings)) add('active warnings', door, withoutIds(answer));
  for (const past of project.memory.pastFailures().failures) add(`past ${past.what}`, 'library', withoutIds(past));
  for (const command of ['recap', 'timeline', 'knowledge'])
    add(command, 'command line', withoutIds(runJson([command, '--project', id])));
  for (const session of sessions) {
    for (const { label, ...call } of await readFailures(id, session)) add(`${session} ${label}`, 'reader', call);
  }
  for (const command of [...failed, ...worked]) await askAboutCall(project, command, add);
  const { chat } = openChat({ home, project, root: cwd, env, now });
  for (const question of ['what failed?', ...failed]) add(question, 'chat', (await chat.send(question)).text);
}

async function askAboutCall(project, command, add) {
  const { projectHash: id, projectPath } = project.info;
  const timestamp = new Date(now()).toISOString();
  const call = {
    sessionId: 'asking',
    tool: 'Bash',
    input: { command },
    timestamp,
    cwd: projectPath,
    root: projectPath,
  };
  const ask = (door, answer) => add(`check ${command}`, door, answer ?? null);
  ask('library', describeWarning(project.memory.check(call)));
  ask('command line', describeWarning(runJson(['check', '--project', id, '--', command]).warning));
  ask('mcp', describeWarning((await server.tool('check', { command, project: id })).warning));
  ask('server', describeWarning((await server.call('chat.check', { command, project: id })).warning));
  ask('hook', runHook(command, projectPath));
}

/** The latest different commands that failed in a project, as many that worked, and its sessions. */
function readCalls(id) {
  const project = home.findProjectByName(id);
  const { sessions } = home.listSessions({ projects: [id], limit: 10_000 });
  const attempts = sessions
    .flatMap(({ sessionId }) => project.history.getSessionRecords(sessionId).attempts)
    .filter(({ command, tool }) => command !== undefined && tool !== undefined && command.length < 500)
    .toSorted((a, b) => (a.timestamp < b.timestamp ? 1 : -1));
  const latest = (outcome, count) =>
    [...new Set(attempts.filter((attempt) => attempt.outcome === outcome).map(({ command }) => command))].slice(
      0,
      count,
    );
  const calls = Number(options.calls);
  const failed = latest('failure', calls);
  return {
    failed,
    worked: latest('success', calls).filter((command) => !failed.includes(command)),
    sessions: sessions.map(({ sessionId }) => sessionId),
  };
}

/** The failed calls of a session as the reader shows them, each with what solved it. */
async function readFailures(project, id) {
  const rows = [];
  for (let offset = 0, total = 1; offset < total; ) {
    const page = await server.call('history.readSession', { id, project, offset, limit: 500 });
    if (page.rows.length === 0) break;
    rows.push(...page.rows);
    offset += page.rows.length;
    total = page.total;
  }
  const calls = rows.flatMap((row) => (row.type === 'call' ? [row.call] : row.type === 'lookups' ? row.calls : []));
  const labels = new Map(calls.map(({ attempt, label }) => [attempt.id, label]));
  const failed = calls.filter(({ attempt }) => attempt.outcome === 'failure');
  return failed.map(({ attempt, label, error, fix, fixedBy, workedAgain }) => ({
    label: `${attempt.timestamp} ${label}`,
    error,
    fix: labels.get((fix ?? fixedBy)?.id),
    workedAgain: workedAgain?.at,
  }));
}

/** A failure of a list in the words of this tool, whatever those of the door. */
function describeFailure({ id, failure = id, what, pattern = what, error, reason = error, count, endedAt, ...rest }) {
  return { failure, what: pattern, error: reason, fix: fixOf(rest), count, endedAt, choice: rest.choice };
}

function describeWarning(warning) {
  if (warning === undefined) return null;
  const { failure = warning.failureId, failed, reason, failedAt } = warning;
  return { failure, failed, reason, failedAt, fix: fixOf(warning) };
}

function fixOf({ fix, instead, resolution, alternative }) {
  return fix ?? instead ?? resolution ?? alternative;
}

function withoutIds(value) {
  if (Array.isArray(value)) return value.map(withoutIds);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([name]) => !LEFT_OUT.has(name));
  return Object.fromEntries(fields.map(([name, field]) => [NAMES.get(name) ?? name, withoutIds(field)]));
}

/** The environment of a program: the home, no other programs, and the clock of the questions. */
function programEnv() {
  const preload = join(folder, 'clock.cjs');
  writeFileSync(
    preload,
    `const Real = Date;
globalThis.Date = class Date extends Real {
  constructor(...given) { given.length === 0 ? super(Real.now() + ${clock.ahead}) : super(...given); }
  static now() { return Real.now() + ${clock.ahead}; }
};\n`,
  );
  return { ...env, HOME: folder, YORE_HOME: homeFolder, NODE_OPTIONS: `--require ${preload}`, NO_COLOR: '1' };
}

function runJson(args) {
  const separator = args.indexOf('--');
  const all = separator < 0 ? [...args, '--json'] : [...args.slice(0, separator), '--json', ...args.slice(separator)];
  const { stdout, stderr } = spawnSync(process.execPath, [join(dist, 'cli', 'main.cjs'), ...all], {
    ...{ cwd, env: programEnv(), encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 },
  });
  if (stdout === '') throw new Error(`yore ${all.join(' ')}: ${stderr}`);
  return JSON.parse(stdout);
}

/** What a hook tells an agent before a call; null for nothing. */
function runHook(command, folderOfCall) {
  const payload = {
    ...{ session_id: `asking ${command}`, cwd: folderOfCall, hook_event_name: 'PreToolUse', tool_use_id: 'one' },
    ...{ tool_name: 'Bash', tool_input: { command } },
  };
  const { stdout } = spawnSync(process.execPath, [join(dist, 'hook', 'main.cjs'), 'claude-code'], {
    ...{ cwd, env: programEnv(), encoding: 'utf8', input: JSON.stringify(payload) },
  });
  return stdout === '' ? null : JSON.parse(stdout).hookSpecificOutput.permissionDecisionReason;
}

async function startServer() {
  const args = [join(dist, 'cli', 'main.cjs'), 'serve', '--json'];
  const child = spawn(process.execPath, args, { cwd, env: programEnv(), stdio: ['ignore', 'pipe', 'inherit'] });
  process.on('exit', () => child.kill());
  const text = await new Promise((done, failed) => {
    let read = '';
    child.stdout.on('data', (data) => {
      read += data;
      if (read.trimEnd().endsWith('}')) done(read);
    });
    child.on('exit', () => failed(new Error('the server ended')));
  });
  const { port, token } = JSON.parse(text);
  const post = async (path, body, headers = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      // A connection would be closed while a program runs.
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        connection: 'close',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
    });
    const reply = await response.text();
    const { result, error } = JSON.parse(reply.startsWith('{') ? reply : reply.replace(/^[\s\S]*?data: /, ''));
    if (error !== undefined) throw new Error(`${body.method}: ${error.message}`);
    return result;
  };
  const accept = { accept: 'application/json, text/event-stream' };
  return {
    call: (method, params) => post('/rpc', { method, params }),
    tool: async (name, input) => {
      const params = { name, arguments: input };
      return (await post('/mcp', { method: 'tools/call', params }, accept)).structuredContent ?? {};
    },
    stop: () => child.kill(),
  };
}
