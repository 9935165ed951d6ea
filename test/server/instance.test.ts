import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Client, newPlace, type ServedPlace, send, serve } from './serving.ts';

function serveFile(place: ServedPlace): string {
  return join(place.home, 'serve.json');
}

/** A port that something else listens on, and does not answer. */
async function takenPort(): Promise<number> {
  const server = createServer(() => undefined);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

describe('one server per home', () => {
  it('makes a second server say where the first one is', async () => {
    const first = await serve();
    await expect(serve({ place: first.place })).rejects.toMatchObject({
      code: 'BUSY',
      message: expect.stringContaining(first.url),
    });
    expect((await send(first.port, '/health')).text).toBe(JSON.stringify({ name: 'yore', pid: process.pid }));
  });

  it('lets one of many servers that start at once run', async () => {
    const place = newPlace();
    const started = await Promise.allSettled(Array.from({ length: 5 }, () => serve({ place })));
    const running = started.filter(({ status }) => status === 'fulfilled');
    expect(running).toHaveLength(1);
    for (const one of started) {
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'BUSY' });
    }
  });

  it('keeps the instance file private, and clears it when the server is closed', async () => {
    const server = await serve();
    const file = serveFile(server.place);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ pid: process.pid, port: server.port });
    await server.close();
    const left = JSON.parse(readFileSync(file, 'utf8'));
    expect(left).not.toHaveProperty('pid');
    const next = await serve({ place: server.place });
    expect(next.token).toBe(server.token);
  });

  it('takes over a stale or invalid instance file', async () => {
    const place = newPlace();
    const token = 'a-token-of-more-than-32-characters-x';
    const left = { v: 1, host: '127.0.0.1', token };
    const port = (await serve()).port;
    for (const text of [
      JSON.stringify({ ...left, pid: 2 ** 22 + 1, port: 1 }),
      JSON.stringify({ ...left, pid: process.pid, port: 1 }),
      JSON.stringify({ ...left, pid: 1, port }),
      '{',
      '',
      'null',
      '{"v":1,"pid":"x","port":"../../x","host":7,"token":[]}',
    ]) {
      writeFileSync(serveFile(place), text);
      const server = await serve({ place });
      expect(server.token === token).toBe(text.includes(token));
      await server.close();
    }
  });

  it('treats a server that accepts connections but does not answer as busy', async () => {
    const place = newPlace();
    const port = await takenPort();
    const token = 'a-token-of-more-than-32-characters-x';
    writeFileSync(serveFile(place), JSON.stringify({ v: 1, host: '127.0.0.1', pid: process.pid, port, token }));
    await expect(serve({ place })).rejects.toMatchObject({ code: 'BUSY' });
  });

  it('requires a free port, an address of this machine and a strong token', async () => {
    const port = await takenPort();
    await expect(serve({ port })).rejects.toMatchObject({
      code: 'BUSY',
      message: expect.stringContaining(`${port}`),
    });
    await expect(serve({ host: '192.0.2.1' })).rejects.toMatchObject({ code: 'USAGE' });
    await expect(serve({ token: 'short' })).rejects.toMatchObject({ code: 'USAGE' });
  });

  it('closes connections and stops listening, also when closed twice', async () => {
    const server = await serve();
    const client = await Client.connect(server);
    const gone = client.closed();
    await Promise.all([server.close(), server.close()]);
    expect(await gone).toBe(1001);
    await expect(send(server.port, '/health')).rejects.toThrow(/ECONNREFUSED/);
  });
});
