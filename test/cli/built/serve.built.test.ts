import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DATABASE_SUFFIXES } from '../../../src/sqlite/database.ts';
import { storePath } from '../../../src/store/store-files.ts';
import { AUTHENTICATION, playSessions, REDIS } from './agent.ts';
import { createPlace, type Place, yore, yoreJson } from './run-yore.ts';
import { callRpc, type ServerInfo, startServe, startServeJson } from './serving-process.ts';

/** A place where an agent has worked. */
function recorded(): Place {
  const place = createPlace();
  playSessions(place, [REDIS, AUTHENTICATION]);
  return place;
}

/** A command in place of the browser, which writes down what it was given. */
function fakeBrowser({ folder }: Place): { readonly env: Record<string, string>; readonly opened: string } {
  const bin = join(folder, 'bin');
  const opened = join(folder, 'opened.txt');
  mkdirSync(bin);
  const command = join(bin, process.platform === 'darwin' ? 'open' : 'xdg-open');
  writeFileSync(command, `#!/bin/sh\nprintf '%s\\n' "$@" >> '${opened}'\n`);
  chmodSync(command, 0o755);
  return { env: { PATH: `${bin}:${process.env.PATH}`, DISPLAY: ':99' }, opened };
}

function instanceFile({ home }: Place): Record<string, unknown> {
  return JSON.parse(readFileSync(join(home, 'serve.json'), 'utf8'));
}

const origin = ({ port }: Pick<ServerInfo, 'port'>): string => `http://127.0.0.1:${port}`;

describe('yore serve', () => {
  it('prints an address whose token gives a cookie for the app and its calls', async () => {
    const place = recorded();
    const server = startServe(place, ['--port', String(await freePort())]);
    const said = await server.saying('Ctrl-C');
    const [, base = '', token = ''] = /(http:\/\/127\.0\.0\.1:\d+)\/#token=(\S+)/.exec(said) ?? [];
    expect(said).toContain(`Serving ~/home.`);
    expect(said).not.toContain('Nothing is recorded');

    const page = await fetch(`${base}/`);
    const [, script = ''] = /src="(\/assets\/[^"]+)"/.exec(await page.text()) ?? [];
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect((await fetch(base + script)).headers.get('content-type')).toContain('javascript');

    const json = { 'content-type': 'application/json', origin: base };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'history.listSessions', params: {} });
    expect((await fetch(`${base}/rpc`, { method: 'POST', headers: json, body })).status).toBe(401);
    const login = await fetch(`${base}/login`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ token }),
    });
    expect(login.status).toBe(204);
    const cookie = (login.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const called = await fetch(`${base}/rpc`, { method: 'POST', headers: { ...json, cookie }, body });
    const { result } = (await called.json()) as { readonly result: { readonly total: number } };
    expect(result.total).toBe(2);
  });

  it('tells the app the same about agents as yore doctor', async () => {
    const place = createPlace();
    for (const [file, text] of [
      ['.claude/settings.json', '{}'],
      ['.codex/config.toml', 'model = "o9"\n'],
      ['.gemini/settings.json', '{}'],
    ] as const) {
      mkdirSync(join(place.folder, dirname(file)));
      writeFileSync(join(place.folder, file), text);
    }
    const env = { PATH: '/usr/bin:/bin' };
    for (const agent of ['claude-code', 'codex'])
      expect(yore(place, ['init', '--yes', '--no-import', '--agent', agent], { env }).code).toBe(0);
    const { info } = await startServeJson(place, [], { env });
    const { agents } = (await callRpc(info, 'settings.agents')) as {
      readonly agents: readonly { readonly agent: string; readonly state: string; readonly fix?: string }[];
    };
    const doctor = JSON.parse(yore(place, ['doctor', '--json'], { env }).stdout);
    const states = (list: typeof agents) => list.map(({ agent, state }) => [agent, state]);
    expect(states(agents)).toEqual(states(doctor.agents));
    expect(Object.fromEntries(states(agents))).toMatchObject({
      'claude-code': 'waiting',
      codex: 'needsAction',
      gemini: 'notSetUp',
    });
    expect(agents.find(({ agent }) => agent === 'gemini')?.fix).toBe('yore init --agent gemini');
  });

  it('prints where it listens as one line of JSON', async () => {
    const { server, info } = await startServeJson(recorded());
    expect(server.stdout().trimEnd().split('\n')).toHaveLength(1);
    expect(info).toEqual({
      url: `${origin(info)}/#token=${info.token}`,
      port: expect.any(Number),
      token: expect.stringMatching(/^[\w-]{43}$/),
      readOnly: false,
      pid: server.pid,
    });
    expect(server.stderr()).toBe('');
  });

  it('serves chat, MCP and hooks in one process', async () => {
    const place = recorded();
    const { info } = await startServeJson(place);
    await callRpc(info, 'chat.send', { prompt: 'what failed?' });
    await expect
      .poll(async () => JSON.stringify(await callRpc(info, 'state.get')), { timeout: 20_000 })
      .toContain('redis-node');
    const headers = {
      authorization: `Bearer ${info.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    };
    const mcp = await fetch(`${origin(info)}/mcp`, {
      method: 'POST',
      headers,
      body: JSON.stringify(initialize),
    });
    expect(await mcp.text()).toContain('"yore"');
    const event = {
      hook_event_name: 'PreToolUse',
      session_id: 'later',
      cwd: place.cwd,
      tool_name: 'Bash',
      tool_input: { command: 'npm install redis-node' },
      tool_use_id: 'call-9',
    };
    const hook = await fetch(`${origin(info)}/hook/claude-code`, {
      method: 'POST',
      headers,
      body: JSON.stringify(event),
    });
    expect(await hook.text()).toContain('redis-node');
    // An error of one part is known in another: not found, and nothing that nobody foresaw.
    await expect(callRpc(info, 'context.loadSession', { id: 'none' })).rejects.toThrow('NOT_FOUND');
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('ends on %s and releases the home', async (signal) => {
    const place = recorded();
    const { server, info } = await startServeJson(place);
    expect(instanceFile(place)).toMatchObject({ pid: server.pid, port: info.port });
    server.signal(signal);
    expect(await server.ended).toBe(0);
    expect(instanceFile(place)).not.toHaveProperty('pid');
    expect(server.stderr()).toBe('');
  });

  it('reuses port and token after a restart, even after kill -9', async () => {
    const place = recorded();
    const first = await startServeJson(place, ['--port', String(await freePort())]);
    first.server.signal('SIGKILL');
    await first.server.ended;
    expect(instanceFile(place)).toHaveProperty('pid');
    const second = await startServeJson(place);
    expect(second.info).toEqual({ ...first.info, pid: second.server.pid });
  });

  it('points to the running server when started twice', async () => {
    const place = recorded();
    const { info } = await startServeJson(place);
    const second = yore(place, ['serve']);
    expect(second).toMatchObject({ code: 6, stdout: '' });
    expect(second.stderr).toContain(info.url);
    expect(second.stderr).toContain(`process ${info.pid}`);
    const asked = yore(place, ['serve', '--json']);
    expect({ code: asked.code, info: JSON.parse(asked.stdout) }).toEqual({ code: 0, info });
  });

  it('rejects a port in use, and picks another if none was given', async () => {
    const place = recorded();
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as { readonly port: number };
    try {
      const { code, stderr } = yore(place, ['serve', '--port', String(port)]);
      expect(code).toBe(6);
      expect(stderr).toContain(`Another program is listening on 127.0.0.1:${port}`);
      expect(existsSync(join(place.home, 'serve.json'))).toBe(false);
      writeFileSync(
        join(place.home, 'serve.json'),
        JSON.stringify({ v: 1, host: '127.0.0.1', port, token: 'x'.repeat(43) }),
      );
      const { info } = await startServeJson(place);
      expect(info.port).not.toBe(port);
      expect(info.token).toBe('x'.repeat(43));
    } finally {
      taken.close();
    }
  });

  it.each([
    [['--port', 'http'], '--port "http" is not a port'],
    [['--port', '70000'], '--port "70000" is not a port'],
    [['--host', ''], '--host is empty'],
    [['--host', '203.0.113.7'], 'Choose an address of this machine'],
  ])('rejects %s', (args, message) => {
    const { code, stderr } = yore(createPlace(), ['serve', ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('picks a free port for 0', async () => {
    const { info } = await startServeJson(createPlace(), ['--port', '0']);
    expect(info.port).toBeGreaterThan(0);
    expect((await fetch(`${origin(info)}/health`)).status).toBe(200);
  });

  it('serves an empty home and says what to do', async () => {
    const place = createPlace();
    const server = startServe(place);
    const said = await server.saying('Ctrl-C');
    for (const text of ['Nothing is recorded here yet', 'main.cjs init', 'main.cjs import', 'main.cjs serve --demo'])
      expect(said).toContain(text);
    const { port, token } = instanceFile(place) as unknown as ServerInfo;
    expect(await callRpc({ port, token }, 'history.listSessions')).toMatchObject({ total: 0 });
  });

  it('gives other machines read-only access, and warns', async () => {
    const place = recorded();
    const { server, info } = await startServeJson(place, ['--host', '0.0.0.0']);
    expect(info.readOnly).toBe(true);
    expect(await server.saying('not encrypted')).toContain('Other machines can reach 0.0.0.0');
    expect(await callRpc(info, 'history.listSessions')).toMatchObject({ total: 2 });
    await expect(callRpc(info, 'chat.send', { prompt: 'hello' })).rejects.toThrow('READ_ONLY');
    server.signal('SIGTERM');
    await server.ended;
    const writing = await startServeJson(place, ['--host', '0.0.0.0', '--allow-remote-writes']);
    expect(writing.info.readOnly).toBe(false);
    expect(await writing.server.saying('not encrypted')).toContain('change and delete');
  });

  it('catches up with the logs before it listens', async () => {
    const place = recorded();
    for (const suffix of DATABASE_SUFFIXES) rmSync(storePath(place.home) + suffix, { force: true });
    const indexState = (): unknown => (yoreJson(place, ['doctor']) as { readonly indexState: string }).indexState;
    expect(indexState()).toBe('missing');
    await startServeJson(place);
    expect(indexState()).toBe('ready');
  });
});

describe.skipIf(process.platform === 'win32')('yore serve --open', () => {
  it('opens the browser at the address of the new or running server', async () => {
    const place = recorded();
    const { env, opened } = fakeBrowser(place);
    const { info } = await startServeJson(place, ['--open'], { env });
    await expect.poll(() => existsSync(opened) && readFileSync(opened, 'utf8')).toBe(`${info.url}\n`);
    const second = yore(place, ['serve', '--open'], { env });
    expect({ code: second.code, stderr: second.stderr }).toEqual({ code: 0, stderr: '' });
    expect(second.stdout).toContain(info.url);
    expect(readFileSync(opened, 'utf8')).toBe(`${info.url}\n${info.url}\n`);
  });

  it('keeps serving without a display or browser, and says so', async () => {
    const place = recorded();
    const bare = { PATH: join(place.folder, 'nothing') };
    for (const env of [{}, { ...bare, DISPLAY: ':99' }]) {
      const server = startServe(place, ['--open'], { env });
      await server.saying('No browser could be opened');
      const { port, token } = instanceFile(place) as unknown as ServerInfo;
      expect(await callRpc({ port, token }, 'history.listSessions')).toMatchObject({ total: 2 });
      server.signal('SIGTERM');
      expect(await server.ended).toBe(0);
    }
  });
});

describe('yore serve --demo', () => {
  it('serves a demo project and deletes it at the end', async () => {
    const place = createPlace();
    const temp = join(place.folder, 'temp');
    mkdirSync(temp);
    const server = startServe(place, ['--demo'], { env: { TMPDIR: temp } });
    const said = await server.saying('Ctrl-C');
    expect(said).toContain('demo project');
    expect(said).toContain('main.cjs init');
    const [, port = '', token = ''] = /127\.0\.0\.1:(\d+)\/#token=(\S+)/.exec(said) ?? [];
    const list = await callRpc({ port: Number(port), token }, 'history.listSessions');
    expect((list as { readonly total: number }).total).toBeGreaterThan(5);
    expect(existsSync(place.home)).toBe(false);
    server.signal('SIGINT');
    expect(await server.ended).toBe(0);
    expect(readdirSync(temp)).toEqual([]);
    expect(existsSync(place.home)).toBe(false);
  });

  it('deletes it when a signal comes before it listens', async () => {
    const place = createPlace();
    const temp = join(place.folder, 'temp');
    mkdirSync(temp);
    const server = startServe(place, ['--demo'], { env: { TMPDIR: temp } });
    await expect.poll(() => readdirSync(temp).length, { timeout: 20_000, interval: 5 }).toBe(1);
    server.signal('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(readdirSync(temp)).toEqual([]);
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { readonly port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
