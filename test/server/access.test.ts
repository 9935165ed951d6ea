import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { loginCookie, rawCall, type Serving, send, serve } from './serving.ts';

const CALL = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'project.list' });
const JSON_TYPE = { 'content-type': 'application/json' };

/** The status of the response to a WebSocket request; 101 when it is accepted. */
function upgradeStatus({ port }: Serving, headers: Readonly<Record<string, string>>, path = '/rpc'): Promise<number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
    socket.on('unexpected-response', (_request, response) => {
      resolve(response.statusCode ?? 0);
      socket.terminate();
    });
    socket.on('open', () => {
      resolve(101);
      socket.terminate();
    });
    socket.on('error', () => undefined);
  });
}

/** Sends bytes as they are and returns the status line of the response, or all of it. */
function sendRaw(port: number, text: string, { whole = false } = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('end', () => resolve(whole ? answer : (answer.split('\r\n', 1)[0] ?? '')));
    socket.on('error', reject);
  });
}

describe('access', () => {
  it('refuses a request whose Host is not a name of the server', async () => {
    const server = await serve();
    const authorization = `Bearer ${server.token}`;
    for (const host of ['evil.example', 'evil.example:80', '127.0.0.1.evil.example', 'localhost.', '[::2]']) {
      for (const path of ['/', '/health', '/rpc', '/login', '/mcp', '/assets/app-Ab12Cd34.js']) {
        const reply = await send(server.port, path, { headers: { host, authorization } });
        expect([host, path, reply.status]).toEqual([host, path, 403]);
      }
      expect(await upgradeStatus(server, { host, authorization })).toBe(403);
    }
  });

  it('accepts names of this machine with any port, as a tunnel uses them', async () => {
    const { port } = await serve();
    for (const host of ['127.0.0.1', `localhost:${port}`, 'LOCALHOST:1', `[::1]:${port}`]) {
      expect((await send(port, '/', { headers: { host } })).status).toBe(200);
    }
    expect((await send(port, '/', { headers: { host: 'localhost:99999' } })).status).not.toBe(200);
  });

  it('refuses pages of other origins, including other ports of this machine', async () => {
    const server = await serve();
    const cookie = await loginCookie(server);
    for (const origin of [
      'https://evil.example',
      'null',
      'http://127.0.0.1:1',
      `https://127.0.0.1:${server.port}`,
      `http://localhost:${server.port}`,
      '',
    ]) {
      const headers = { origin, cookie, ...JSON_TYPE };
      const reply = await send(server.port, '/rpc', { method: 'POST', body: CALL, headers });
      expect([origin, reply.status]).toEqual([origin, 403]);
      expect((await send(server.port, '/rpc', { method: 'OPTIONS', headers })).status).toBe(403);
      expect(await upgradeStatus(server, { origin, cookie })).toBe(403);
    }
  });

  it('shows nothing recorded without the token', async () => {
    const server = await serve();
    for (const path of ['/rpc', '/image/01234567/0123456789ab.png', '/hook/claude-code', '/mcp', '/mcp/x', '/rpc/']) {
      for (const authorization of ['', 'Bearer', 'Bearer wrong', `Basic ${server.token}`, `Bearer ${server.token}x`]) {
        const reply = await send(server.port, path, {
          headers: { authorization },
          method: 'POST',
          body: CALL,
        });
        expect([path, authorization, reply.status]).toEqual([path, authorization, 401]);
      }
    }
    expect(await upgradeStatus(server, {})).toBe(401);
    expect(await upgradeStatus(server, { cookie: 'yore_0=1', origin: `http://127.0.0.1:${server.port}` })).toBe(401);
    expect(await upgradeStatus(server, { authorization: `Bearer ${server.token}` })).toBe(101);
    expect(await upgradeStatus(server, { authorization: `Bearer ${server.token}` }, '/other')).toBe(404);
  });

  it('exchanges the token for an HttpOnly, SameSite cookie', async () => {
    const { port, token, url } = await serve();
    expect(url).toBe(`http://127.0.0.1:${port}/#token=${token}`);
    const login = (body: string, type = 'application/json') =>
      send(port, '/login', { method: 'POST', body, headers: { 'content-type': type } });
    const reply = await login(JSON.stringify({ token }));
    expect(reply.status).toBe(204);
    const [cookie = ''] = reply.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict;/);
    expect(cookie).not.toContain(token);
    for (const body of ['', '{', '[]', 'null', '{"token":1}', '{"token":""}', '{"token":"wrong"}', '"x"']) {
      const refused = await login(body);
      expect([body, refused.status, refused.headers['set-cookie']]).toEqual([body, 401, undefined]);
    }
    expect((await login(JSON.stringify({ token }), 'text/plain')).status).toBe(415);
    expect((await login(JSON.stringify({ token, more: 'x'.repeat(5000) }))).status).toBe(413);
    expect((await send(port, '/login')).status).toBe(405);
  });

  it('accepts the cookie only with the origin of the app', async () => {
    const server = await serve();
    const cookie = await loginCookie(server);
    const origin = `http://127.0.0.1:${server.port}`;
    const ask = async (headers: Readonly<Record<string, string>>) =>
      (
        await send(server.port, '/rpc', {
          method: 'POST',
          body: CALL,
          headers: { ...JSON_TYPE, cookie, ...headers },
        })
      ).status;
    expect(await ask({ origin })).toBe(200);
    expect(await ask({})).toBe(401);
    expect(await ask({ origin, 'sec-fetch-site': 'same-site' })).toBe(401);
    expect(await ask({ origin, 'sec-fetch-site': 'same-origin' })).toBe(200);
    expect(await ask({ origin, 'content-type': 'text/plain' })).toBe(415);
    const image = (site: string) =>
      send(server.port, '/image/01234567/0123456789ab.png', { headers: { cookie, 'sec-fetch-site': site } });
    expect((await image('cross-site')).status).toBe(401);
    expect((await image('same-origin')).status).toBe(404);
    expect(await upgradeStatus(server, { cookie })).toBe(401);
    expect(await upgradeStatus(server, { cookie, origin })).toBe(101);
  });

  it('sends security headers with every response', async () => {
    const server = await serve();
    for (const path of ['/', '/health', '/nothing', '/rpc', '/%2e%2e/x']) {
      const { headers } = await send(server.port, path);
      expect(headers['content-security-policy']).toMatch(/default-src 'none'; script-src 'self';/);
      expect(headers['content-security-policy']).toMatch(/frame-ancestors 'none'$/);
      expect(headers['content-security-policy']).not.toContain('unsafe');
      expect(headers['cache-control']).toMatch(/^no-(?:store|cache)$/);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it('refuses what is not HTTP, or meant for another server, and keeps running', async () => {
    const server = await serve();
    expect(await sendRaw(server.port, 'nonsense\r\n\r\n')).toContain('400');
    expect(await sendRaw(server.port, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n')).toContain('400');
    const foreign = `GET http://evil.example/ HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nConnection: close\r\n\r\n`;
    expect(await sendRaw(server.port, foreign)).toContain('400');
    const long = `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
    expect(await sendRaw(server.port, long)).toMatch(/431|400/);
    expect(await rawCall(server, 'project.list')).toMatchObject({ result: { projects: [] } });
    expect(server.errors).toEqual([]);
  });

  it('refuses ambiguous requests (request smuggling) and reads nothing after them', async () => {
    const server = await serve();
    const hidden = `POST /rpc HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${server.token}\r\nContent-Type: application/json\r\nContent-Length: ${CALL.length}\r\n\r\n${CALL}`;
    const head = 'POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
    for (const lines of [
      `Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      `Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`,
      'Content-Length: 0\r\nContent-Length: 3\r\n\r\n',
      'Content-Length: +0\r\n\r\n',
      'Content-Length: 0x10\r\n\r\n',
      'Transfer-Encoding: xchunked\r\n\r\n',
      'Transfer-Encoding: chunked, identity\r\n\r\n',
      'Transfer-Encoding : chunked\r\n\r\n',
      'Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n',
      ' Folded: yes\r\n\r\n',
      'Bad\0Name: x\r\n\r\n',
    ]) {
      const answer = await sendRaw(server.port, `${head}${lines}${hidden}`, { whole: true });
      expect([lines, answer.split('HTTP/1.1 ').length - 1]).toEqual([lines, 1]);
      expect([lines, /^HTTP\/1\.1 400/.test(answer)]).toEqual([lines, true]);
      expect(answer).not.toContain('"result"');
    }
    expect(await rawCall(server, 'project.list')).toMatchObject({ result: { projects: [] } });
    expect(server.errors).toEqual([]);
  });

  it('refuses two Host headers, or too many headers', async () => {
    const server = await serve();
    const get = (lines: string) => sendRaw(server.port, `GET /health HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`);
    expect(await get('Host: localhost\r\n')).toContain('200');
    expect(await get('Host: localhost\r\nHost: evil.example\r\n')).toMatch(/40[03]/);
    expect(await get('Host: evil.example\r\nHost: localhost\r\n')).toMatch(/40[03]/);
    const origins = `Origin: http://localhost\r\nOrigin: http://evil.example\r\n`;
    expect(await get(`Host: localhost\r\n${origins}`)).toContain('403');
    expect(await get(`Host: localhost\r\nX-Large: ${'x'.repeat(100_000)}\r\n`)).toContain('431');
    const many = Array.from({ length: 5000 }, (_, index) => `X-${index}: ${index}\r\n`).join('');
    expect(await get(`Host: localhost\r\n${many}`)).toMatch(/431|200/);
    expect(server.errors).toEqual([]);
  });

  it('gives servers of two homes on one machine separate cookies', async () => {
    const [one, two] = [await serve(), await serve()];
    const cookies = [await loginCookie(one), await loginCookie(two)];
    expect(cookies[0]?.split('=')[0]).not.toBe(cookies[1]?.split('=')[0]);
    const ask = (server: Serving, cookie: string) =>
      send(server.port, '/rpc', {
        method: 'POST',
        body: CALL,
        headers: { ...JSON_TYPE, cookie, origin: `http://127.0.0.1:${server.port}` },
      });
    expect((await ask(one, cookies.join('; '))).status).toBe(200);
    expect((await ask(two, cookies.join('; '))).status).toBe(200);
    expect((await ask(one, cookies[1] ?? '')).status).toBe(401);
    expect((await ask(one, `${cookies[0]?.split('=')[0]}=${one.token}`)).status).toBe(401);
  });

  it('never sends the token, and does not accept it in a URL', async () => {
    const server = await serve();
    const cookie = await loginCookie(server);
    const origin = `http://127.0.0.1:${server.port}`;
    for (const path of [`/rpc?token=${server.token}`, `/rpc#token=${server.token}`, `/${server.token}/rpc`]) {
      const reply = await send(server.port, path, { method: 'POST', body: CALL, headers: JSON_TYPE });
      expect(reply.status).toBeGreaterThanOrEqual(400);
      expect(JSON.stringify(reply.headers) + reply.text).not.toContain(server.token);
    }
    for (const method of ['state.get', 'project.list', 'nonsense']) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method });
      const reply = await send(server.port, '/rpc', {
        method: 'POST',
        body,
        headers: { ...JSON_TYPE, cookie, origin },
      });
      expect(JSON.stringify(reply.headers) + reply.text).not.toContain(server.token);
    }
  });

  it('is read-only for other machines unless remote writes are allowed', async () => {
    const server = await serve({ host: '0.0.0.0' });
    expect(server.readOnly).toBe(true);
    expect(await rawCall(server, 'state.get')).toMatchObject({ result: { readOnly: true, messages: [] } });
    for (const method of ['history.newSession', 'chat.cancel', 'chat.compact']) {
      expect(await rawCall(server, method)).toMatchObject({ error: { data: { code: 'READ_ONLY' } } });
    }
    expect(await rawCall(server, 'chat.send', { prompt: 'x' })).toMatchObject({
      error: { data: { code: 'READ_ONLY' } },
    });
    const authorization = `Bearer ${server.token}`;
    for (const path of ['/mcp', '/hook/claude-code']) {
      const reply = await send(server.port, path, { method: 'POST', body: '{}', headers: { authorization } });
      expect([path, reply.status]).toEqual([path, 403]);
    }
    const open = await serve({ host: '0.0.0.0', allowRemoteWrites: true });
    expect(await rawCall(open, 'history.newSession')).toMatchObject({ result: { sessionId: expect.any(String) } });
  });
});
