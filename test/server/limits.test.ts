import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { Client, call, post, rawCall, type Serving, send, serve } from './serving.ts';

/** Sends some bytes and nothing more; resolves when the server ends the connection, to what it said. */
function stall(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
    onTestFinished(() => void socket.destroy());
  });
}

async function isWell(server: Serving): Promise<void> {
  expect(await call(server, 'project.list', {})).toMatchObject({ projects: [] });
  expect(server.errors).toEqual([]);
}

describe('limits', () => {
  it('refuses a body that is too large, with or without a content length', async () => {
    const server = await serve({ limits: { bodyBytes: 10_000 } });
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'project.list',
      params: { x: 'x'.repeat(20_000) },
    });
    expect((await post(server, '/rpc', body)).status).toBe(413);
    expect((await post(server, '/rpc', body, { 'transfer-encoding': 'chunked' })).status).toBe(413);
    const authorization = `Bearer ${server.token}`;
    const announced = await send(server.port, '/rpc', {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', 'content-length': 10 ** 15 },
    }).catch(() => ({ status: 413 }));
    expect(announced.status).toBe(413);
    const client = await Client.connect(server);
    client.socket.send(body);
    expect(await client.closed()).toBe(1009);
    await isWell(server);
  });

  it('gives up on a request that does not arrive in time', async () => {
    const server = await serve({ limits: { requestMs: 300 } });
    const head = `POST /rpc HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${server.token}\r\n`;
    const answers = await Promise.all([
      stall(server.port, 'GET / HTT'),
      stall(server.port, head),
      stall(server.port, `${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"json`),
      stall(server.port, `${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"j`),
    ]);
    for (const answer of answers) expect(answer).toMatch(/^(HTTP\/1\.1 408|$)/);
    await isWell(server);
  });

  it('survives clients that disconnect in the middle of a request', async () => {
    const server = await serve();
    const head = `POST /rpc HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${server.token}\r\n`;
    for (let index = 0; index < 20; index += 1) {
      const socket = connect(server.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(`${head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`, () => socket.destroy());
    }
    await isWell(server);
  });

  it('disconnects a client that does not read, and lets it reconnect', async () => {
    const server = await serve({ limits: { waitingBytes: 500_000 } });
    const { history } = server.openedHome.openProject(server.place.cwd);
    for (let index = 0; index < 4; index += 1) {
      history.append({ sessionId: 'large', role: 'user', content: 'large '.repeat(150_000) });
    }
    const slow = await Client.connect(server);
    const gone = slow.closed();
    slow.socket.pause();
    const message = { jsonrpc: '2.0', id: 1, method: 'history.getSession', params: { id: 'large' } };
    for (let index = 0; index < 20; index += 1) slow.socket.send(JSON.stringify(message));
    const back = await Client.connect(server);
    expect(await back.call('history.listSessions', {})).toMatchObject({ total: 1 });
    slow.socket.resume();
    expect(await gone).toBe(1006);
  });

  it('disconnects a client that does not answer pings', async () => {
    const server = await serve({ limits: { heartbeatMs: 50 } });
    const deaf = new WebSocket(`ws://127.0.0.1:${server.port}/rpc`, {
      autoPong: false,
      headers: { authorization: `Bearer ${server.token}` },
    });
    deaf.on('error', () => undefined);
    const gone = new Promise((resolve) => deaf.once('close', resolve));
    const well = await Client.connect(server);
    expect(await gone).toBe(1006);
    expect(await well.call('project.list', {})).toMatchObject({ projects: [] });
  });

  it('limits the number of connections, but not those of the owner, whoever else holds some open', async () => {
    const server = await serve({ limits: { connections: 20 } });
    const owner = await Client.connect(server);
    let ended = 0;
    const held = Array.from({ length: 60 }, (_, index) => stall(server.port, index % 2 === 0 ? '' : 'GET / HTT'));
    for (const each of held) void each.then(() => ended++);
    await expect.poll(() => ended).toBeGreaterThanOrEqual(40);
    expect(await owner.call('project.list', {})).toMatchObject({ projects: [] });
    for (let index = 0; index < 5; index++) await isWell(server);
    const again = await Client.connect(server);
    expect(await again.call('project.list', {})).toMatchObject({ projects: [] });
    await server.close();
    expect(await Promise.all(held)).toHaveLength(60);
  });

  it('reports the details of an unexpected error to the owner only', async () => {
    const server = await serve({
      openChat: () => {
        throw new TypeError('a secret detail');
      },
    });
    const { error } = await rawCall(server, 'state.get');
    expect(error).toMatchObject({ code: -32603 });
    expect(error?.message).not.toContain('secret');
    expect(server.errors).toMatchObject([{ message: 'a secret detail' }]);
  });
});
