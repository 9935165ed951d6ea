import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { playSessions, REDIS } from '../cli/built/agent.ts';
import { TOOLS, toCalled } from '../mcp/serve.ts';
import { newPlace, post, type Serving, send, serve } from './serving.ts';

async function serveRedis(): Promise<Serving> {
  const place = newPlace();
  playSessions({ folder: place.home, home: place.home, cwd: place.cwd }, [REDIS]);
  return serve({ place });
}

describe('MCP and hooks over HTTP', () => {
  it('serve the MCP tools', async () => {
    const { port, token } = await serveRedis();
    const client = new McpClient({ name: 'test', version: '1' });
    const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    });
    await client.connect(transport);
    onTestFinished(() => client.close());
    expect((await client.listTools()).tools).toHaveLength(TOOLS.length);
    const called = toCalled(await client.callTool({ name: 'search', arguments: { query: 'ioredis' } }));
    expect(called.data).toMatchObject({ hits: [{ session: 'redis-1' }] });
  });

  it('serve tools, resources and prompts to clients of the previous SDK', async () => {
    const { port, token, errors } = await serveRedis();
    const client = new FormerClient({ name: 'test', version: '1' }, { capabilities: { roots: {} } });
    const transport = new FormerTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    });
    // The types of the SDK disagree about what may be undefined.
    await client.connect(transport as Transport);
    onTestFinished(() => client.close());
    expect((await client.listTools()).tools).toHaveLength(TOOLS.length);
    const called = toCalled(await client.callTool({ name: 'search', arguments: { query: 'ioredis' } }));
    expect(called.data).toMatchObject({ hits: [{ session: 'redis-1' }] });
    expect(toCalled(await client.callTool({ name: 'session', arguments: { session: 'none' } })).isError).toBe(true);
    expect(JSON.stringify(await client.readResource({ uri: 'yore://briefing' }))).toContain('redis-node');
    expect((await client.listPrompts()).prompts.length).toBeGreaterThan(0);
    expect(errors).toEqual([]);
  });

  it('refuse clients without the token', async () => {
    const { port } = await serveRedis();
    for (const headers of [{}, { authorization: 'Bearer wrong' }]) {
      const client = new McpClient({ name: 'test', version: '1' });
      const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
        requestInit: { headers },
      });
      await expect(client.connect(transport)).rejects.toThrow();
      await client.close();
    }
  });

  it('refuse requests that are not MCP calls', async () => {
    const server = await serveRedis();
    const accept = { accept: 'application/json, text/event-stream' };
    expect((await post(server, '/mcp', 'not JSON', accept)).status).toBe(400);
    expect((await post(server, '/mcp', `"${'x'.repeat(5 * 1024 * 1024)}"`, accept)).status).toBe(413);
    const authorization = `Bearer ${server.token}`;
    expect((await send(server.port, '/mcp', { headers: { authorization } })).status).toBe(405);
    expect(server.errors).toEqual([]);
  });

  it('answer hook events with the warning of the guard', async () => {
    const server = await serveRedis();
    const payload = JSON.stringify({
      session_id: 'redis-2',
      cwd: server.place.cwd,
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'npm install redis-node' },
    });
    const denied = await post(server, '/hook/claude-code', payload);
    expect(JSON.parse(denied.text).hookSpecificOutput.permissionDecision).toBe('deny');
    expect(await post(server, '/hook/nobody', payload)).toMatchObject({ status: 200, text: '' });
    expect((await post(server, '/hook/claude-code/a/b', payload)).status).toBe(404);
    const authorization = `Bearer ${server.token}`;
    expect((await send(server.port, '/hook/claude-code', { headers: { authorization } })).status).toBe(405);
  });
});
