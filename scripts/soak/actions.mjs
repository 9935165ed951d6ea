// What happens during a soak. Each action adds records with a token, and notes what was acknowledged.
import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { WebSocket } from 'ws';

const AGENTS = {
  'claude-code': ({ sessionId, cwd, command, id }) => ({
    payload: {
      session_id: sessionId,
      cwd,
      hook_event_name: 'PostToolUse',
      ...bash(command, id),
      tool_response: { stdout: 'ok', stderr: '' },
    },
  }),
  qwen: ({ sessionId, cwd, command, id }) => ({
    payload: {
      session_id: sessionId,
      cwd,
      hook_event_name: 'PostToolUse',
      ...bash(command, id),
      tool_call_id: id,
      tool_response: { llmContent: 'Output: ok\nExit Code: 0' },
    },
  }),
  gemini: ({ sessionId, cwd, command }) => ({
    payload: {
      session_id: sessionId,
      cwd,
      hook_event_name: 'AfterTool',
      tool_name: 'run_shell_command',
      tool_input: { command },
      tool_response: { llmContent: 'Output: ok\nExit Code: 0' },
    },
  }),
  cursor: ({ sessionId, cwd, command, id }) => ({
    payload: {
      conversation_id: sessionId,
      cwd,
      workspace_roots: [cwd],
      hook_event_name: 'postToolUse',
      tool_name: 'Shell',
      tool_use_id: id,
      tool_input: { command },
      tool_output: '{"exitCode":0,"output":"ok"}',
    },
  }),
  copilot: ({ sessionId, cwd, command }) => ({
    event: 'postToolUse',
    payload: {
      sessionId,
      timestamp: Date.now(),
      cwd,
      toolName: 'bash',
      toolArgs: JSON.stringify({ command }),
      toolResult: { resultType: 'success', textResultForLlm: 'ok\n<shellId: 0 completed with exit code 0>' },
    },
  }),
  codex: ({ sessionId, cwd, command, id }) => ({
    payload: {
      session_id: sessionId,
      turn_id: 't',
      cwd,
      hook_event_name: 'PostToolUse',
      ...bash(command, id),
      tool_response: 'ok',
    },
  }),
  opencode: (call) => ({ payload: pluginCall(call) }),
  pi: (call) => ({ payload: pluginCall(call) }),
};

function bash(command, id) {
  return { tool_name: 'Bash', tool_input: { command }, tool_use_id: id };
}

function pluginCall({ sessionId, cwd, command, id }) {
  return {
    event: 'afterCall',
    sessionId,
    cwd,
    tool: 'bash',
    callId: id,
    input: { command },
    output: 'ok',
    exitCode: 0,
  };
}

/** A finished call of an agent, through its hook. */
async function finishCall(world, agent, session, options) {
  const token = world.addRecord('call', session.id);
  const { payload, event } = AGENTS[agent]({
    sessionId: session.id,
    cwd: session.cwd,
    command: `make ${token}`,
    id: token,
  });
  const { isAcknowledged } = await world.hook(agent, payload, { cwd: session.cwd, event, ...options });
  if (isAcknowledged && (world.agents?.has(agent) ?? true)) world.setState(token, 'acknowledged');
  return token;
}

/** Finds out of which agents a finished call is recorded without its transcript. */
export async function calibrate(world) {
  const tokens = new Map();
  for (const agent of Object.keys(AGENTS)) {
    tokens.set(agent, await finishCall(world, agent, openSession(world), { mayKill: false, mayJump: false }));
  }
  await world.yore(['status'], { mayKill: false, mayJump: false });
  const logs = readLogs(world.home);
  world.agents = new Set([...tokens].filter(([, token]) => logs.includes(token)).map(([agent]) => agent));
  for (const [agent, token] of tokens) if (!world.agents.has(agent)) world.setState(token, 'unknown');
}

function readLogs(home) {
  const folders = readdirSync(join(home, 'projects')).map((id) => join(home, 'projects', id));
  const files = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => join(folder, name)),
  );
  return files.map((file) => readFileSync(file, 'utf8')).join('\n');
}

function openSession(world) {
  const id = `session-${world.sessions.size}-${world.random.below(1e6)}`;
  const session = { id, cwd: world.random.pick(world.projects), calls: 0, busy: 0, isClosed: false };
  world.sessions.set(id, session);
  return session;
}

function pickSession(world) {
  const open = [...world.sessions.values()].filter(({ isClosed }) => !isClosed);
  return open.length < 4 ? openSession(world) : world.random.pick(open);
}

async function withSession(world, work) {
  const session = pickSession(world);
  session.busy++;
  try {
    await work(session);
  } finally {
    session.busy--;
    if (++session.calls > 8) session.isClosed = true;
  }
}

const call = (world) =>
  withSession(world, (session) => finishCall(world, world.random.pick(Object.keys(AGENTS)), session));

/** Events around calls, of Claude Code. The prompt is recorded too. */
const otherEvent = (world) =>
  withSession(world, async ({ id, cwd }) => {
    const [hook_event_name, more] = world.random.pick([
      ['SessionStart', { source: 'startup' }],
      ['UserPromptSubmit', { prompt: `please look at ${world.addRecord('prompt', id)} now` }],
      ['PreToolUse', { tool_name: 'Bash', tool_input: { command: 'make all' }, tool_use_id: 'p' }],
      ['Stop', {}],
      ['SessionEnd', { reason: 'other' }],
    ]);
    await world.hook('claude-code', { session_id: id, cwd, hook_event_name, ...more }, { cwd });
  });

/** Adds to a transcript of Claude Code and imports it. */
async function importTranscripts(world) {
  const id = `00000000-0000-4000-8000-${String(world.random.below(6)).padStart(12, '0')}`;
  const path = join(world.user, '.claude', 'projects', 'soak', `${id}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  const cwd = world.projects[0];
  const lines = Array.from({ length: 1 + world.random.below(5) }, (_, index) => {
    const token = world.addRecord('message', id);
    world.setState(token, 'pending');
    const base = {
      sessionId: id,
      cwd,
      uuid: token,
      isSidechain: false,
      version: '2.1.0',
      timestamp: new Date().toISOString(),
    };
    const role = index % 2 === 0 ? 'user' : 'assistant';
    const content = role === 'user' ? `please do ${token} next` : [{ type: 'text', text: `did ${token} as asked` }];
    return `${JSON.stringify({ ...base, type: role, message: { id: token, role, content } })}\n`;
  });
  appendFileSync(path, lines.join(''));
  await world.yore(['import']);
}

/** Saves a note through the MCP server. */
async function remember(world) {
  const token = world.addRecord('note', 'notes');
  const child = world.startYore(['mcp'], { cwd: world.random.pick(world.projects) });
  let said = '';
  let wasFull = world.isFull;
  const write = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const hasReplied = new Promise((resolve) => {
    child.stdout.on('data', (chunk) => {
      said += chunk;
      wasFull ||= world.isFull;
      if (said.includes('"id":2')) resolve();
    });
    child.on('close', resolve);
  });
  write({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'soak', version: '1' } },
  });
  write({ method: 'notifications/initialized' });
  write({ id: 2, method: 'tools/call', params: { name: 'remember', arguments: { text: `Use ${token} for builds` } } });
  const timer = world.random.chance(0.2) ? setTimeout(() => child.kill('SIGKILL'), world.random.below(900)) : undefined;
  const limit = setTimeout(() => child.kill('SIGKILL'), 30_000);
  await hasReplied;
  clearTimeout(timer);
  clearTimeout(limit);
  if (!wasFull && !world.isFull && said.includes('Saved for')) world.setState(token, 'acknowledged');
  child.kill('SIGKILL');
}

/** Asks the chat, which answers from memory. */
async function chat(world) {
  const token = world.addRecord('question', 'chat');
  const cwd = world.random.pick(world.projects);
  const { isAcknowledged } = await world.yore(['chat', '--new'], { input: `what about ${token} here?\n`, cwd });
  if (isAcknowledged) world.setState(token, 'acknowledged');
}

/** Calls the server, over HTTP and a socket, next to connections that send nothing. It is started when it does not run, and killed at random. */
async function callServer(world) {
  world.starting ??= startServer(world).finally(() => (world.starting = undefined));
  await world.starting;
  if (world.server === undefined) return;
  const { port, token } = world.server;
  const held = Array.from({ length: 30 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  const ask = async (method, params) => {
    const response = await fetch(`http://127.0.0.1:${port}/rpc`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(20_000),
    });
    return await response.json();
  };
  try {
    await ask('history.search', { query: 'make', limit: 5 });
    await ask('history.sessions', { limit: 5 });
    await callSocket(world.server);
  } catch {
    // It was killed.
  } finally {
    for (const socket of held) socket.destroy();
  }
  if (world.random.chance(0.3)) world.server?.child.kill('SIGKILL');
}

/** Watches over a socket and searches, until the reply comes or the server ends. */
function callSocket({ port, token }) {
  const headers = { authorization: `Bearer ${token}` };
  const socket = new WebSocket(`ws://127.0.0.1:${port}/rpc`, { headers });
  return new Promise((resolve) => {
    const limit = setTimeout(() => socket.terminate(), 20_000);
    socket.on('open', () => {
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'history.search', params: { query: 'please' } }));
    });
    socket.on('message', () => socket.close());
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(limit);
      resolve();
    });
  });
}

async function startServer(world) {
  const { exitCode, signalCode } = world.server?.child ?? {};
  if (world.server !== undefined && exitCode === null && signalCode === null) return;
  world.server = undefined;
  const child = world.startYore(['serve', '--json', '--port', '0']);
  let said = '';
  const address = await new Promise((resolve) => {
    child.stdout.on('data', (chunk) => {
      said += chunk;
      if (said.includes('}')) resolve(tryParse(said));
    });
    child.on('close', () => resolve(undefined));
  });
  if (address !== undefined) world.server = { child, ...address };
}

function tryParse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Forgets a session in which nothing happens any more. */
async function forget(world) {
  const session = [...world.sessions.values()].find(
    (each) => each.isClosed && each.busy === 0 && each.forget === undefined,
  );
  if (session === undefined) return;
  session.forget = 'unknown';
  const { isAcknowledged } = await world.yore(['forget', '--session', session.id, '--yes'], { cwd: session.cwd });
  if (isAcknowledged) session.forget = 'done';
}

const search = (world) => world.yore(['search', world.random.pick(['make', 'please', 'soak']), '--json']);
const status = (world) => world.yore([world.random.pick(['status', 'doctor', 'recap', 'failures', 'sessions'])]);
const reindex = (world) => world.yore(['reindex']);
const backup = async (world) => {
  const path = join(world.folder, `backup-${world.random.below(1e9)}`);
  const { isAcknowledged } = await world.yore(['backup', path]);
  if (isAcknowledged) world.backup = path;
};

/** Actions with how often they are chosen. */
const ACTIONS = [
  [call, 40],
  [otherEvent, 15],
  [importTranscripts, 6],
  [search, 5],
  [remember, 3],
  [chat, 4],
  [callServer, 5],
  [forget, 4],
  [status, 4],
  [reindex, 1],
  [backup, 1],
];
const TABLE = ACTIONS.flatMap(([action, weight]) => Array(weight).fill(action));

/** Does something at random. */
export async function act(world) {
  const action = world.random.pick(TABLE);
  world.counts.set(action.name, (world.counts.get(action.name) ?? 0) + 1);
  await action(world);
}

/** Files that can be rebuilt, and how they are damaged so that it can be noticed. */
const DERIVED = [
  [/^store-\d+\.db$/, (bytes) => bytes.fill(0xff, 0, 16)],
  [/^imports\/\w+\.json$/, (bytes, random) => bytes.subarray(0, random.below(bytes.length))],
  [/^projects\/\w+\/(?:guard\.|digest|recall\.|knowledge|briefing)/, damageAnywhere],
];

function damageAnywhere(bytes, random) {
  if (random.chance(0.2)) return bytes.subarray(0, random.below(bytes.length));
  bytes[random.below(bytes.length)] ^= 1 << random.below(8);
  return bytes;
}

/**
 * Damages files while nothing runs: some of those that can be rebuilt, a torn line at the end of a log, and a line that a
 * newer version of yore wrote, which has to survive.
 */
export function damage(world) {
  const files = readdirSync(world.home, { recursive: true }).map((name) => name.replaceAll('\\', '/'));
  for (const [pattern, change] of DERIVED) {
    const found = files.filter((name) => pattern.test(name) && statSync(join(world.home, name)).size > 0);
    if (found.length === 0 || world.random.chance(0.4)) continue;
    const path = join(world.home, world.random.pick(found));
    writeFileSync(path, change(readFileSync(path), world.random));
  }
  const logs = files.filter((name) => /^projects\/\w+\/(?:history|failures|successes)\.jsonl$/.test(name));
  if (logs.length === 0) return;
  const token = world.addRecord('newer', 'newer');
  const newer = { v: 99, id: token, sessionId: 'newer', timestamp: new Date().toISOString(), shape: 'unknown' };
  appendFileSync(join(world.home, world.random.pick(logs)), `\n${JSON.stringify(newer)}\n`);
  world.setState(token, 'acknowledged');
  appendFileSync(join(world.home, world.random.pick(logs)), '{"v":1,"id":"torn","sessionId":"torn","conte');
}
