import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { expect, it, onTestFinished } from 'vitest';
import { createMcpHttpHandler } from '../../src/mcp/index.ts';
import { playSessions, REDIS } from '../cli/built/agent.ts';
import { createPlace } from '../cli/built/run-yore.ts';
import { TOOLS, toCalled } from './serve.ts';

const SERVER_URL = 'http://localhost/mcp';

function handler() {
  const place = createPlace();
  playSessions(place, [REDIS]);
  return createMcpHttpHandler({ version: '1', home: place.home, env: {}, currentFolder: place.cwd });
}

it('serves a client of the previous SDK over HTTP', async () => {
  const { fetch } = handler();
  const client = new FormerClient({ name: 'test', version: '1' }, { capabilities: { roots: {} } });
  const transport = new FormerTransport(new URL(SERVER_URL), {
    fetch: (url, init) => fetch(new Request(url, init)),
  });
  // The types of the SDK disagree about what may be undefined.
  await client.connect(transport as Transport);
  onTestFinished(() => client.close());
  expect((await client.listTools()).tools).toHaveLength(TOOLS.length);
  const called = toCalled(await client.callTool({ name: 'search', arguments: { query: 'ioredis' } }));
  expect(called.data).toMatchObject({ hits: [{ session: 'redis-1' }] });
  expect(JSON.stringify(await client.readResource({ uri: 'yore://briefing' }))).toContain('redis-node');
});

it('refuses requests that are not calls', async () => {
  const { fetch } = handler();
  const post = (body: string, type = 'application/json') =>
    fetch(
      new Request(SERVER_URL, {
        method: 'POST',
        body,
        headers: { 'content-type': type, accept: 'application/json, text/event-stream' },
      }),
    );
  expect((await fetch(new Request(SERVER_URL))).status).toBe(405);
  expect((await post('not JSON')).status).toBe(400);
  expect((await post('{}', 'text/plain')).status).toBe(415);
  expect((await post(`"${'x'.repeat(5 * 1024 * 1024)}"`)).status).toBe(413);
});
