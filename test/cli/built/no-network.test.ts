import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PROGRAM } from '../../../src/cli/program.ts';
import { AUTHENTICATION, playSessions, REDIS } from './agent.ts';
import { createPlace, environment, type Place, yore } from './run-yore.ts';
import { callRpc, startServeJson } from './serving-process.ts';

/** Notes every connection, server and look-up that a process of Node.js asks for. */
const SPY = `
const { appendFileSync } = require('node:fs');
const net = require('node:net'), dns = require('node:dns'), dgram = require('node:dgram');
const spy = (target, name) => {
  const original = target[name];
  target[name] = function (...args) {
    if (name === 'lookup' && net.isIP(args[0])) return original.apply(this, args);
    appendFileSync(process.env.YORE_TEST_SOCKETS, name + '\\n');
    return original.apply(this, args);
  };
};
spy(net.Socket.prototype, 'connect');
spy(net.Server.prototype, 'listen');
spy(dns, 'lookup');
spy(dns.promises, 'lookup');
spy(dgram, 'createSocket');
`;

const HOOK_EVENT = {
  hook_event_name: 'PreToolUse',
  session_id: 'now',
  tool_name: 'Bash',
  tool_input: { command: 'npm install redis-node' },
  tool_use_id: 'call-1',
};

const MCP_CALLS = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  },
  { id: 2, method: 'tools/call', params: { name: 'search', arguments: { query: 'redis' } } },
];

interface Run {
  readonly args: readonly string[];
  readonly input?: string;
}

/** How each command is run. In this order: some need what others leave. */
function planRuns(place: Place): Readonly<Record<string, readonly Run[]>> {
  const backup = join(place.folder, 'backup.tar.gz');
  const run = (...args: string[]): Run => ({ args });
  return {
    demo: [run('--fast')],
    status: [run()],
    import: [run(), run('claude-code')],
    init: [run('--dry-run'), run('--yes')],
    doctor: [run()],
    hook: [{ args: ['claude-code'], input: JSON.stringify({ ...HOOK_EVENT, cwd: place.cwd }) }],
    mcp: [
      {
        args: [],
        input: MCP_CALLS.map((call) => `${JSON.stringify({ jsonrpc: '2.0', ...call })}\n`).join(''),
      },
    ],
    search: [run('redis'), run('how did we add the cache?')],
    projects: [run()],
    sessions: [run()],
    usage: [run()],
    blame: [run('src/index.ts')],
    show: [run('redis-1'), run('none')],
    chat: [{ args: ['--new'], input: 'what failed?' }],
    prompts: [run()],
    recap: [run()],
    timeline: [run()],
    check: [run('npm install redis-node')],
    decisions: [run(), run('pin', 'd-none')],
    failures: [run()],
    successes: [run()],
    knowledge: [run()],
    why: [run()],
    dismiss: [run('f-none')],
    pin: [run('f-none')],
    remember: [run('Tests run with bun test')],
    export: [run()],
    reindex: [run()],
    config: [run('list')],
    pause: [run()],
    resume: [run()],
    backup: [run(backup)],
    restore: [run(backup, '--replace', '--yes')],
    forget: [run('--project', '.', '--yes')],
    completion: [run('bash')],
    team: [run('status')],
    sync: [run()],
  };
}

it('in a home without a team, no command except yore serve opens a socket or looks up a host', {
  timeout: 120_000,
}, () => {
  const place = createPlace();
  playSessions(place, [REDIS, AUTHENTICATION]);
  writeTranscript(place);
  const { env, seen } = spyIn(place);
  const names = new Set((PROGRAM.commands ?? []).map(({ name }) => name));
  const runs = Object.entries(planRuns(place)).filter(([name]) => names.has(name));
  // `yore serve` is there to be connected to: it has a test of its own.
  expect(new Set([...runs.map(([name]) => name), 'serve'])).toEqual(names);
  for (const [name, ways] of runs) {
    for (const { args, input } of ways) {
      const { code, stderr } = yore(place, [name, ...args], {
        env,
        ...(input === undefined ? {} : { input }),
      });
      expect([0, 3, 4, 9], `${name}: ${stderr}`).toContain(code);
    }
  }
  expect(yore(place, ['--help'], { env }).code).toBe(0);
  expect(existsSync(seen) ? readFileSync(seen, 'utf8') : '').toBe('');
});

it('yore serve listens, and connects to nothing', async () => {
  const place = createPlace();
  playSessions(place, [REDIS]);
  const { env, seen } = spyIn(place);
  const { server, info } = await startServeJson(place, [], { env });
  await callRpc(info, 'history.search', { query: 'redis' });
  await callRpc(info, 'chat.send', { prompt: 'what failed?' });
  server.signal('SIGTERM');
  expect(await server.ended).toBe(0);
  // Twice where the usual port is taken.
  expect(readFileSync(seen, 'utf8')).toMatch(/^(?:listen\n){1,2}$/);
});

it.skipIf(process.platform === 'win32')('the shims that agents call open no socket', () => {
  const place = createPlace();
  const { env, seen } = spyIn(place);
  writeTranscript(place);
  expect(yore(place, ['init', '--yes'], { env }).code).toBe(0);
  const event = JSON.stringify({ ...HOOK_EVENT, cwd: place.cwd });
  const options = { cwd: place.cwd, env: environment(place, env) };
  const bin = join(place.home, 'bin');
  expect(spawnSync(join(bin, 'yore-hook'), ['claude-code'], { ...options, input: event }).status).toBe(0);
  expect(spawnSync(join(bin, 'yore-mcp'), [], { ...options, input: '' }).status).toBe(0);
  expect(existsSync(seen)).toBe(false);
});

it('the spy notices a connection', () => {
  const place = createPlace();
  const { env: spied, seen } = spyIn(place);
  const env = environment(place, spied);
  spawnSync(process.execPath, ['-e', "fetch('http://127.0.0.1:45999').catch(() => {})"], { env });
  expect(readFileSync(seen, 'utf8')).toContain('connect');
});

/** What makes the processes of Node.js write down what they do to the network, and where they do. */
function spyIn({ folder }: Place): { readonly env: Record<string, string>; readonly seen: string } {
  const spy = join(folder, 'spy.cjs');
  const seen = join(folder, 'sockets.txt');
  writeFileSync(spy, SPY);
  return { env: { NODE_OPTIONS: `--require=${spy}`, YORE_TEST_SOCKETS: seen }, seen };
}

/** Something for an import to find. */
function writeTranscript({ folder, cwd }: Place): void {
  const transcripts = join(folder, '.claude', 'projects', cwd.replaceAll(/[^a-zA-Z0-9]/g, '-'));
  mkdirSync(transcripts, { recursive: true });
  const common = { sessionId: 'imported-1', cwd, version: '2.1.0', isSidechain: false, userType: 'external' };
  const line = {
    ...common,
    type: 'user',
    uuid: 'u-1',
    parentUuid: null,
    timestamp: new Date().toISOString(),
    message: { role: 'user', content: 'Paint the shed' },
  };
  writeFileSync(join(transcripts, 'imported-1.jsonl'), `${JSON.stringify(line)}\n`);
}
