import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AUTHENTICATION, playSessions, REDIS } from '../cli/built/agent.ts';
import { createPlace, environment, MAIN, type Place, yore } from '../cli/built/run-yore.ts';
import { type Called, TOOLS, toCalled } from './serve.ts';

/** The common interface of both generations of clients. */
interface AnyClient {
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  listResources(): Promise<{ readonly resources: readonly { readonly uri: string }[] }>;
  listPrompts(): Promise<{ readonly prompts: readonly { readonly name: string }[] }>;
  readResource(params: { uri: string }): Promise<unknown>;
  getPrompt(params: { name: string; arguments: Record<string, string> }): Promise<unknown>;
  close(): Promise<void>;
}

interface Connected {
  readonly client: AnyClient;
  readonly pid: number;
  readonly call: (tool: string, input?: Record<string, unknown>) => Promise<Called>;
}

interface Start {
  readonly cwd?: string;
  readonly args?: readonly string[];
  /** The roots of the client; without them it does not support roots. */
  readonly roots?: () => Promise<{ roots: { uri: string }[] }>;
}

type Connect = (place: Place, start?: Start) => Promise<Connected>;

const INFO = { name: 'test', version: '1' };

function parameters(place: Place, { cwd = place.cwd, args = [] }: Start) {
  const command = { command: process.execPath, args: [MAIN, 'mcp', ...args] };
  return { ...command, cwd, env: environment(place), stderr: 'pipe' as const };
}

function current(mode: 'legacy' | { pin: string }): Connect {
  return async (place, start = {}) => {
    const { roots } = start;
    const client = new Client(INFO, {
      versionNegotiation: { mode },
      ...(roots ? { capabilities: { roots: {} } } : {}),
    });
    if (roots) client.setRequestHandler('roots/list', roots);
    const transport = new StdioClientTransport(parameters(place, start));
    await client.connect(transport);
    onTestFinished(() => client.close());
    return {
      client,
      pid: transport.pid ?? 0,
      call: async (name, input = {}) => toCalled(await client.callTool({ name, arguments: input })),
    };
  };
}

const former: Connect = async (place, start = {}) => {
  const { roots } = start;
  const client = new FormerClient(INFO, roots ? { capabilities: { roots: {} } } : {});
  if (roots) client.setRequestHandler(ListRootsRequestSchema, roots);
  const transport = new FormerTransport(parameters(place, start));
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    client,
    pid: transport.pid ?? 0,
    call: async (name, input = {}) => toCalled(await client.callTool({ name, arguments: input })),
  };
};

const CLIENTS: readonly (readonly [name: string, connect: Connect])[] = [
  ['the current SDK, protocol of 2026', current({ pin: '2026-07-28' })],
  ['the current SDK, handshake of 2025', current('legacy')],
  ['the SDK before', former],
];

function recorded(): Place {
  const place = createPlace();
  playSessions(place, [REDIS, AUTHENTICATION]);
  return place;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function gone(pid: number): Promise<void> {
  return expect.poll(() => isAlive(pid)).toBe(false);
}

describe.each(CLIENTS)('a client of %s', (_name, connect) => {
  it('lists and uses everything', async () => {
    const place = recorded();
    const { client, call, pid } = await connect(place);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(TOOLS);
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toContain('yore://session/redis-1');
    expect((await client.listPrompts()).prompts).toHaveLength(2);
    expect((await call('search', { query: 'redis' })).data).toMatchObject({
      hits: expect.any(Array),
      more: false,
    });
    expect((await call('recap')).data).toMatchObject({ totals: { sessions: 2 } });
    expect((await call('check', { command: 'npm install redis-node' })).data).toMatchObject({ warns: true });
    expect((await call('session', { id: 'redis-1' })).data).toMatchObject({ session: { project: 'my-app' } });
    expect((await call('remember', { text: 'Tests run with bun test' })).data).toMatchObject({
      kind: 'fact',
    });
    expect(JSON.stringify(await client.readResource({ uri: 'yore://briefing' }))).toContain('redis-node');
    expect(JSON.stringify(await client.getPrompt({ name: 'catch-up', arguments: {} }))).toContain('redis-1');
    await client.close();
    await gone(pid);
  });

  it('gets an error for an invalid call, and can go on', async () => {
    const { client, call } = await connect(recorded());
    expect(await call('search', { query: '' })).toMatchObject({ isError: true });
    expect(await call('search', { query: 7 })).toMatchObject({ isError: true });
    expect(await call('session', { id: 'nope' })).toMatchObject({ isError: true });
    expect(await call('search', { query: `\0${'word '.repeat(1900)}` })).toMatchObject({ isError: false });
    await expect(client.readResource({ uri: 'yore://session/nope' })).rejects.toThrow('no session "nope"');
    await expect(client.getPrompt({ name: 'none', arguments: {} })).rejects.toThrow('none');
    expect(await call('recap')).toMatchObject({ isError: false });
  });

  it('reports its roots, unless the command line names a folder', async () => {
    const place = recorded();
    const other = join(place.folder, 'other');
    mkdirSync(other);
    let asked = 0;
    const roots = async () => {
      asked++;
      return {
        roots: [
          { uri: 'file:///no%2Ffolder' },
          { uri: pathToFileURL(other).href },
          { uri: pathToFileURL(place.cwd).href },
        ],
      };
    };
    const { call, client } = await connect(place, { cwd: place.folder, roots });
    expect((await call('recap')).data).toMatchObject({ project: 'my-app' });
    expect((await call('check', { command: 'npm install redis-node' })).data).toMatchObject({ warns: true });
    expect(JSON.stringify(await client.readResource({ uri: 'yore://briefing' }))).toContain('redis-node');
    expect(asked).toBe(1);
    const fixed = await connect(place, { cwd: place.folder, roots, args: ['--project', other] });
    expect((await fixed.call('recap')).text).toMatch(/Nothing is recorded for .*other` yet/);
    expect(asked).toBe(1);
  });

  it('works with an empty home, and in a folder without a project', async () => {
    const place = createPlace();
    const { call } = await connect(place);
    expect(await call('search', { query: 'redis' })).toMatchObject({
      isError: false,
      text: expect.stringMatching(/Nothing is recorded .*yore init/),
    });
    expect(await call('check', { command: 'ls' })).toMatchObject({ isError: false, data: { warns: false } });
  });
});

describe('a client of 2025 that does not answer the request for its roots', () => {
  it('uses the folder the server was started in', async () => {
    const { call } = await former(recorded(), { roots: () => new Promise(() => {}) });
    expect((await call('recap')).data).toMatchObject({ project: 'my-app' });
  });
});

describe('several servers over one home', () => {
  it('see the notes of each other and of the command line', async () => {
    const place = recorded();
    const [one, two] = await Promise.all([former(place), current({ pin: '2026-07-28' })(place)]);
    const notes = await Promise.all(
      Array.from({ length: 10 }, (_, n) => (n % 2 ? one : two).call('remember', { text: `Fact number ${n} zebra` })),
    );
    expect(notes.every(({ isError }) => !isError)).toBe(true);
    expect(yore(place, ['remember', 'Fact of a person zebra']).code).toBe(0);
    for (const { call } of [one, two]) {
      const { data } = await call('search', { query: 'zebra', limit: 30 });
      expect((data as { hits: unknown[] }).hits).toHaveLength(11);
    }
  });

  it('go on when the history is deleted, or the settings are broken and repaired', async () => {
    const place = recorded();
    const { call } = await former(place);
    expect((await call('search', { query: 'redis' })).data).toMatchObject({ hits: expect.any(Array) });
    expect(yore(place, ['forget', '--project', '.', '--yes']).code).toBe(0);
    expect((await call('search', { query: 'redis', project: '*' })).data).toMatchObject({ hits: [] });
    writeFileSync(join(place.home, 'config.json'), '{ broken');
    expect(await call('recap')).toMatchObject({
      isError: true,
      text: expect.stringContaining('config.json'),
    });
    writeFileSync(join(place.home, 'config.json'), '{}');
    expect(await call('recap')).toMatchObject({ isError: false });
  });
});

/** A server process with raw input and output. */
function start(place: Place, args: readonly string[] = []) {
  const child = spawn(process.execPath, [MAIN, 'mcp', ...args], { cwd: place.cwd, env: environment(place) });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = { out: '', error: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.error += text));
  child.stdin.on('error', () => {});
  const ended = new Promise<{ readonly code: number | null; readonly signal: string | null }>((done) =>
    child.once('close', (code, signal) => done({ code, signal })),
  );
  return { child, said, ended };
}

const HELLO = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: INFO },
})}\n`;

async function answered({ stdout }: ChildProcess): Promise<void> {
  await new Promise((done) => stdout?.once('data', done));
}

describe('the process', () => {
  it('ends when standard input ends', async () => {
    const idle = start(createPlace());
    idle.child.stdin.end();
    expect(await idle.ended).toEqual({ code: 0, signal: null });
    expect(idle.said).toEqual({ out: '', error: '' });
    const used = start(recorded());
    used.child.stdin.write(HELLO);
    await answered(used.child);
    used.child.stdin.end();
    expect(await used.ended).toEqual({ code: 0, signal: null });
    expect(used.said.error).toBe('');
  });

  it.skipIf(process.platform === 'win32')('ends on SIGTERM and SIGINT', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const { child, ended, said } = start(recorded());
      child.stdin.write(HELLO);
      await answered(child);
      child.kill(signal);
      expect(await ended).toEqual({ code: 0, signal: null });
      expect(said.error).toBe('');
    }
  });

  it('ends when its client is killed or stops reading', async () => {
    const place = recorded();
    const file = join(place.folder, 'pid');
    const parent = `
      const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, [${JSON.stringify(MAIN)}, 'mcp'], { stdio: ['pipe', 'pipe', 'inherit'] });
      child.stdin.write(${JSON.stringify(HELLO)});
      child.stdout.once('data', () => { require('node:fs').writeFileSync(${JSON.stringify(file)}, String(child.pid)); console.log('ready'); });
    `;
    const client = spawn(process.execPath, ['-e', parent], { cwd: place.cwd, env: environment(place) });
    await answered(client);
    client.kill('SIGKILL');
    await gone(Number(readFileSync(file, 'utf8')));
    const { child, ended } = start(place);
    child.stdin.write(HELLO);
    await answered(child);
    child.stdout.destroy();
    const ping = `${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' })}\n`;
    const timer = setInterval(() => child.stdin.write(ping), 20);
    expect(await ended).toMatchObject({ code: 0 });
    clearInterval(timer);
  });

  it('writes only protocol messages, whatever it is sent', async () => {
    const { child, said, ended } = start(recorded());
    child.stdin.write(HELLO);
    await answered(child);
    const call = { name: 'recap', arguments: {} };
    for (const line of [
      'not JSON at all',
      '{"jsonrpc":"2.0"',
      '[]',
      'null',
      '{"jsonrpc":"2.0","id":2,"method":"no/such/method"}',
      '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"__proto__","arguments":{}}}',
      '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"search","arguments":{"__proto__":{"query":"x"}}}}',
      JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'tools/call', params: call }),
    ]) {
      child.stdin.write(`${line}\n`);
    }
    while (!said.out.includes('"id":5')) await answered(child);
    child.stdin.end();
    await ended;
    const lines = said.out.trimEnd().split('\n');
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
    expect(said.out).toContain('redis-1');
    expect(said.error).toBe('');
  });

  it('answers a message that is too large with an error, and goes on', async () => {
    const { child, ended, said } = start(createPlace());
    child.stdin.write(HELLO);
    await answered(child);
    const text = 'x'.repeat(12 * 1024 * 1024);
    const search = { name: 'search', arguments: { query: text, id: 99 } };
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: search })}\n`);
    child.stdin.write(`${JSON.stringify({ method: 'tools/call', params: search, jsonrpc: '2.0', id: 'three' })}\n`);
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 4, method: 'tools/list' })}\n`);
    while (!said.out.includes('"id":4')) await answered(child);
    child.stdin.write(`{"jsonrpc":"2.0","id":5,"method":"${text}`);
    child.stdin.end();
    expect(await ended).toEqual({ code: 0, signal: null });
    const replies = said.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const message = 'The message has 12.0 MB; at most 8.0 MB are accepted. Send less at a time.';
    for (const id of [2, 'three', 5])
      expect(replies).toContainEqual({ jsonrpc: '2.0', id, error: { code: -32600, message } });
  });

  it('reports an invalid command line', () => {
    const place = createPlace();
    const { code, stdout, stderr } = yore(place, ['mcp', '--project', 'nowhere']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('--project "nowhere" is not a folder');
  });

  it('is the only command that loads the protocol and its schemas', () => {
    const place = createPlace();
    const spy = join(place.folder, 'spy.cjs');
    const seen = join(place.folder, 'packages.txt');
    writeFileSync(
      spy,
      `const Module = require('node:module'), { appendFileSync } = require('node:fs'), load = Module._load;
       Module._load = function (name, ...rest) {
         appendFileSync(process.env.YORE_TEST_PACKAGES, name + '\\n');
         return load.call(this, name, ...rest);
       };`,
    );
    const env = { NODE_OPTIONS: `--require=${spy}`, YORE_TEST_PACKAGES: seen };
    for (const command of [['--version'], ['search', 'x'], ['check', 'ls'], ['recap'], ['doctor'], ['mcp', '--help']]) {
      yore(place, command, { env });
    }
    expect(readFileSync(seen, 'utf8')).not.toMatch(/modelcontextprotocol|zod|mcp\.cjs/);
    yore(place, ['mcp'], { env });
    expect(readFileSync(seen, 'utf8')).toMatch(/modelcontextprotocol/);
  });
});
