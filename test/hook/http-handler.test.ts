import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { handleHookRequest, hasToken, isLocalRequest } from '../../src/hook/http-handler.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { ClaudeSession } from './claude-session.ts';

const NOW = Date.parse('2026-03-04T10:00:00.000Z');

/** A server that mounts the hooks; what was said about who asked is in a header. */
async function serve(session: ClaudeSession): Promise<number> {
  const server = createServer(async (incoming, response) => {
    response.setHeader('x-local', String(isLocalRequest(incoming)));
    response.setHeader('x-token', String(hasToken(incoming, 'the token')));
    const isHandled = await handleHookRequest(incoming, response, session.machine());
    if (!isHandled) response.writeHead(404).end('not a hook');
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

interface Reply {
  readonly status: number | undefined;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
}

function post(port: number, path: string, body: string, headers: object = {}, method = 'POST'): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', path, method, headers: { ...headers } }, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode, body: text, headers: response.headers });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** The status of a request that announces a body and sends none of it. */
function announce(port: number, path: string, length: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-length': length };
    const sent = request({ port, host: '127.0.0.1', path, method: 'POST', headers }, (response) => {
      resolve(response.statusCode);
      sent.destroy();
    });
    sent.on('error', reject);
    sent.flushHeaders();
  });
}

describe('hooks over HTTP', () => {
  it('give the replies of the hook command', async () => {
    const session = new ClaudeSession(temporaryFolder(), 'one', NOW);
    const port = await serve(session);
    await session.run('npm install redis-node', { error: 'Exit code 1\nnpm error 404 Not Found' });
    await session.run('npm install ioredis', { stdout: 'added' });
    session.now += 86_400_000;
    const payload = JSON.stringify({
      session_id: 'two',
      cwd: session.cwd,
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'npm install redis-node' },
    });
    const denied = await post(port, '/hook/claude-code', payload);
    expect(denied.status).toBe(200);
    expect(JSON.parse(denied.body).hookSpecificOutput.permissionDecision).toBe('deny');
    expect(await post(port, '/hook/claude-code', payload)).toMatchObject({ status: 200, body: '' });
    const copilot = {
      sessionId: 'c',
      cwd: session.cwd,
      toolName: 'bash',
      toolArgs: { command: 'npm install redis-node' },
    };
    const other = await post(port, '/hook/copilot/preToolUse', JSON.stringify(copilot));
    expect(JSON.parse(other.body).permissionDecision).toBe('deny');
  });

  it('reply with nothing to malformed payloads and unknown agents', async () => {
    const port = await serve(new ClaudeSession(temporaryFolder(), 'one', NOW));
    for (const body of ['', '{', '[]', 'null']) {
      expect(await post(port, '/hook/claude-code', body)).toMatchObject({ status: 200, body: '' });
    }
    expect(await post(port, '/hook/nobody', '{}')).toMatchObject({ status: 200, body: '' });
  });

  it('refuse other methods and large bodies, and leave other paths to the server', async () => {
    const port = await serve(new ClaudeSession(temporaryFolder(), 'one', NOW));
    expect((await post(port, '/hook/codex', '', {}, 'GET')).status).toBe(405);
    expect((await post(port, '/hook/codex', 'x'.repeat(17 * 1024 * 1024))).status).toBe(413);
    expect(await announce(port, '/hook/codex', 200_000_000)).toBe(413);
    for (const path of ['/hooks/codex', '/hook/', '/hook/a/b/c', '/hook/..%2f', '/']) {
      expect(await post(port, path, '{}')).toMatchObject({ status: 404, body: 'not a hook' });
    }
  });

  it('can be restricted to local requests and to holders of the token', async () => {
    const port = await serve(new ClaudeSession(temporaryFolder(), 'one', NOW));
    const seen = async (headers: object) => {
      const { 'x-local': local, 'x-token': token } = (await post(port, '/hook/codex', '', headers)).headers;
      return { local, token };
    };
    expect(await seen({ authorization: 'Bearer the token' })).toEqual({ local: 'true', token: 'true' });
    expect(await seen({ authorization: 'Bearer the tokem' })).toEqual({ local: 'true', token: 'false' });
    expect(await seen({ host: 'evil.example:80' })).toEqual({ local: 'false', token: 'false' });
    expect(await seen({ origin: 'https://evil.example' })).toEqual({ local: 'false', token: 'false' });
  });
});
