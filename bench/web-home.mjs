// A large home for the app, and the built server over it.
import { spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { WebSocket } from 'ws';
import { sampleTexts } from './corpus.mjs';

/** Raise it when the generator changes. */
const GENERATOR = 2;
const PROJECTS = 20;
const MESSAGES_PER_SESSION = 10;
const LONG_SESSION = 10_000;
const FILES_PER_PROJECT = 2000;
/** Of a project, this file is changed by every fifth session. */
const BUSY_FILE = 'src/orders/checkout.ts';
const MODELS = { codex: 'gpt-5.1-codex', 'claude-code': 'claude-sonnet-4-5' };
const TEXTS = 20_000;
const STEP_MS = 20_000;
const SNAPSHOTS = /^(?:digest|recall|guard|knowledge|briefing)/;

/**
 * @typedef {object} LargeHome
 * @property {string} home
 * @property {string} cwd folder of the first project
 * @property {{id: string, project: string}} longSession a session of 10,000 messages
 * @property {string} file a file of the first project that thousands of its sessions changed (hundreds in the sample)
 * @property {string[]} projects ids
 * @property {number} sessions
 */

/**
 * Creates an indexed home with `sessions` sessions of 10 messages in 20 projects, and a session of 10,000 messages. Replies
 * have their usage, sessions change files. It is cached in the system's temporary folder.
 * @param {import('./runner/context.mjs').Context} context
 * @param {number} sessions
 * @returns {Promise<LargeHome>}
 */
export async function createLargeHome(context, sessions) {
  const folder = join(tmpdir(), 'yore-bench', `web-${GENERATOR}-${sessions}`);
  const finished = join(folder, 'home.json');
  const { openHome } = await context.load('project/index.js');
  if (context.fresh || !existsSync(finished)) {
    context.log(`generating ${sessions.toLocaleString('en-US')} sessions in ${folder}`);
    rmSync(folder, { recursive: true, force: true });
    const made = generate(folder, sessions, openHome);
    // Written last: an interrupted run leaves a folder without it, which is not used.
    writeFileSync(finished, JSON.stringify(made));
  }
  const made = JSON.parse(readFileSync(finished, 'utf8'));
  const home = openHome({ home: made.home });
  context.log('updating its index');
  home.catchUp();
  home.close();
  return made;
}

function generate(folder, sessions, openHome) {
  const texts = sampleTexts(TEXTS).map((text) => text.slice(0, 300));
  const homeFolder = join(folder, 'home');
  mkdirSync(homeFolder, { recursive: true, mode: 0o700 });
  const home = openHome({ home: homeFolder });
  const cwd = join(folder, 'project-0');
  const made = { home: homeFolder, cwd, file: BUSY_FILE, projects: [], sessions: sessions + 1 };
  let number = 0;
  // The last session has just ended: pages show the last days at first.
  const start = Date.now() - (sessions * MESSAGES_PER_SESSION + LONG_SESSION) * STEP_MS;
  const now = () => start + number * STEP_MS;
  const message = (sessionId, agent) => {
    number += 1;
    const isReply = number % 2 === 0;
    return line({
      id: `${now()}-${number.toString(16).padStart(8, '0')}`,
      sessionId,
      timestamp: new Date(now()).toISOString(),
      role: isReply ? 'assistant' : 'user',
      content: `${texts[(number * 7919) % TEXTS]} item${number}`,
      agent,
      ...(isReply ? { model: MODELS[agent], usage: usageOf(number) } : {}),
    });
  };
  const projects = Array.from({ length: PROJECTS }, (_, index) => {
    const checkout = join(folder, `project-${index}`);
    mkdirSync(checkout);
    const { directory, info } = home.openProject(checkout);
    made.projects.push(info.projectHash);
    const [history, failures, successes] = ['history', 'failures', 'successes'].map((log) => openLog(directory, log));
    return { history, failures, successes };
  });
  for (let count = 0; count < LONG_SESSION; count++) {
    writeSync(projects[0].history, message('long', 'codex'));
    if (count % 3 === 0) writeSync(projects[0].successes, edit('long', 'codex', count, now()));
  }
  made.longSession = { id: 'long', project: made.projects[0] };
  writeBusyFile(cwd, sessions / PROJECTS);
  for (let session = 0; session < sessions / PROJECTS; session++) {
    for (const [index, { history, failures, successes }] of projects.entries()) {
      const id = `sess-${index}-${session}`;
      const agent = session % 3 === 0 ? 'codex' : 'claude-code';
      writeSync(history, Array.from({ length: MESSAGES_PER_SESSION }, () => message(id, agent)).join(''));
      writeSync(successes, edit(id, agent, session, now()));
      if (session % 5 === 0) writeSync(failures, failure(id, agent, session, now()));
    }
  }
  for (const logs of projects) for (const log of Object.values(logs)) closeSync(log);
  home.close();
  return made;
}

function usageOf(number) {
  return {
    inputTokens: 200 + (number % 700),
    outputTokens: 100 + (number % 900),
    cacheReadTokens: 20_000 + (number % 5000),
    cacheWriteTokens: number % 3000,
  };
}

/** An edit of the busy file in every fifth session, of others in between. */
function edit(sessionId, agent, count, time) {
  const path = count % 5 === 0 ? BUSY_FILE : `src/area-${count % 40}/file-${count % FILES_PER_PROJECT}.ts`;
  const before = Array.from({ length: 8 }, (_, row) => `  const value${row} = compute(${row}, ${count - 1});`);
  const after = before.map((text, row) => (row % 3 === 0 ? sourceLine(row, count) : text));
  return line({
    id: `e-${time}`,
    sessionId,
    timestamp: new Date(time).toISOString(),
    outcome: 'success',
    tool: 'Edit',
    path,
    args: { file_path: path, old_string: before.join('\n'), new_string: after.join('\n') },
    result: `The file ${path} has been updated.`,
    agent,
  });
}

function sourceLine(row, count) {
  return `  const value${row} = compute(${row}, ${count}).total ?? fallback[${count % 7}];`;
}

/** The busy file of a project, with lines that its latest sessions wrote. */
function writeBusyFile(checkout, sessions) {
  const file = join(checkout, BUSY_FILE);
  mkdirSync(dirname(file), { recursive: true });
  const counts = Array.from({ length: 120 }, (_, index) => Math.max(sessions - 5 * (index + 1), 0));
  const lines = counts.flatMap((count) => [0, 3, 6].map((row) => sourceLine(row, count)));
  writeFileSync(file, `${lines.join('\n')}\n`);
}

function failure(sessionId, agent, session, time) {
  const command = `npm run build:${session % 100}`;
  const timestamp = new Date(time).toISOString();
  const error = `Missing script: "build:${session % 100}"`;
  return line({
    id: `f-${time}`,
    sessionId,
    timestamp,
    outcome: 'failure',
    tool: 'Bash',
    command,
    error,
    agent,
  });
}

function line(record) {
  return `${JSON.stringify({ v: 1, ...record })}\n`;
}

function openLog(directory, name) {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return openSync(join(directory, `${name}.jsonl`), 'a', 0o600);
}

/** Deletes the snapshots of a project, so that the next request has to rebuild them. */
export function deleteSnapshots(home, project) {
  const directory = join(home, 'projects', project);
  for (const name of readdirSync(directory)) if (SNAPSHOTS.test(name)) rmSync(join(directory, name));
}

/** Starts the built `yore serve`, and stops it at the end of the run. */
export async function startServer(context, { home, cwd }) {
  const child = spawn(process.execPath, [join(context.dist, 'cli', 'main.cjs'), 'serve', '--json'], {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, YORE_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  context.onClose(
    () =>
      new Promise((resolve) => {
        child.once('close', resolve);
        child.kill('SIGTERM');
      }),
  );
  let output = '';
  for await (const text of child.stdout.setEncoding('utf8')) {
    output += text;
    if (output.includes('\n')) break;
  }
  return JSON.parse(output);
}

/** Connects over a WebSocket. `call()` calls a method and measures the time. */
export async function connect({ port, token }) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/rpc`, {
    headers: { authorization: `Bearer ${token}` },
    maxPayload: 64 * 1024 * 1024,
  });
  const waiting = new Map();
  socket.on('message', (data) => {
    const { id, result, error } = JSON.parse(String(data));
    waiting.get(id)?.({ result, error });
  });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  let last = 0;
  return {
    close: () => socket.terminate(),
    async call(method, params = {}) {
      last += 1;
      const id = last;
      const started = performance.now();
      const { result, error } = await new Promise((resolve) => {
        waiting.set(id, resolve);
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      });
      if (error !== undefined) throw new Error(`${method}: ${error.message}`);
      return { result, ms: performance.now() - started };
    },
  };
}
