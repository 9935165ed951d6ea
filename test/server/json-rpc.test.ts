import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkParameters, count, oneOf, optional, text, texts, time } from '../../src/server/methods/parameters.ts';
import { Client, call, post, rawCall, serve } from './serving.ts';

describe('JSON-RPC', () => {
  it('refuses invalid messages with the error codes of the protocol, over HTTP and WebSocket', async () => {
    const server = await serve();
    const client = await Client.connect(server);
    const cases: readonly (readonly [string, number])[] = [
      ['', -32700],
      ['{', -32700],
      ['\u0000', -32700],
      [`${'['.repeat(100_000)}`, -32700],
      ['[]', -32600],
      ['[{"jsonrpc":"2.0","id":1,"method":"project.list"}]', -32600],
      ['1', -32600],
      ['null', -32600],
      ['{}', -32600],
      ['{"jsonrpc":"1.0","id":1,"method":"project.list"}', -32600],
      ['{"jsonrpc":"2.0","id":{},"method":"project.list"}', -32600],
      ['{"jsonrpc":"2.0","id":1,"method":7}', -32600],
      ['{"jsonrpc":"2.0","id":1,"method":"nothing"}', -32601],
      ['{"jsonrpc":"2.0","id":1,"method":"constructor"}', -32601],
      ['{"jsonrpc":"2.0","id":1,"method":"__proto__"}', -32601],
      ['{"jsonrpc":"2.0","id":1,"method":"toString"}', -32601],
      ['{"jsonrpc":"2.0","id":1,"method":"project.list","params":[1]}', -32602],
      ['{"jsonrpc":"2.0","id":1,"method":"project.list","params":"x"}', -32602],
      ['{"jsonrpc":"2.0","id":1,"method":"project.list","params":{"x":1}}', -32602],
      ['{"jsonrpc":"2.0","id":1,"method":"project.list","params":{"__proto__":{"a":1}}}', -32602],
    ];
    for (const [body, code] of cases) {
      const reply = await post(server, '/rpc', body);
      expect([body.slice(0, 80), reply.status, JSON.parse(reply.text).error?.code]).toEqual([
        body.slice(0, 80),
        200,
        code,
      ]);
      const answer = new Promise((resolve) => client.socket.once('message', (data) => resolve(String(data))));
      client.socket.send(body);
      expect(JSON.parse(String(await answer)).error.code).toBe(code);
    }
    expect(server.errors).toEqual([]);
  });

  it('returns ids as they were given, and does not respond to a call without one', async () => {
    const server = await serve();
    for (const id of ['a', 7, null, 1.5]) {
      const reply = await post(server, '/rpc', JSON.stringify({ jsonrpc: '2.0', id, method: 'project.list' }));
      expect(JSON.parse(reply.text)).toMatchObject({ jsonrpc: '2.0', id, result: { projects: [] } });
    }
    const silent = await post(server, '/rpc', '{"jsonrpc":"2.0","method":"project.list"}');
    expect([silent.status, silent.text]).toEqual([204, '']);
  });

  it('refuses invalid parameters and says what is expected', async () => {
    const server = await serve();
    const wrong: readonly (readonly [string, unknown])[] = [
      ['history.search', {}],
      ['history.search', { query: 7 }],
      ['history.search', { query: null }],
      ['history.search', { query: 'x'.repeat(1001) }],
      ['history.search', { query: 'x', limit: 0 }],
      ['history.search', { query: 'x', limit: 1e9 }],
      ['history.search', { query: 'x', limit: '5' }],
      ['history.search', { query: 'x', role: 'system' }],
      ['history.search', { query: 'x', outcome: 'maybe' }],
      ['history.search', { query: 'x', since: 'yesterday' }],
      ['history.search', { query: 'x', since: '2026-13-45' }],
      ['history.search', { query: 'x', project: '../../etc' }],
      ['history.listSessions', { offset: -1 }],
      ['history.listSessions', { offset: 1.5 }],
      ['history.getSession', { id: ['a'] }],
      ['chat.send', { prompt: { text: 'x' } }],
      ['chat.send', { prompt: 'x', images: 'x' }],
      ['chat.send', { prompt: 'x', images: Array(6).fill('data:') }],
      ['project.overview', {}],
      ['memory.get', { project: 'x' }],
      ['memory.dismiss', { project: '01234567' }],
    ];
    for (const [method, params] of wrong) {
      const { error } = await rawCall(server, method, params);
      expect([method, error?.code]).toEqual([method, -32602]);
      expect(error?.message).toMatch(/parameter/);
    }
    expect(server.errors).toEqual([]);
  });

  it('keeps the code of a YoreError, such as NOT_FOUND for an unknown project or session', async () => {
    const server = await serve();
    for (const [method, params] of [
      ['state.get', { project: 'deadbeef' }],
      ['project.overview', { project: 'deadbeef' }],
      ['project.timeline', { project: 'deadbeef' }],
      ['memory.get', { project: 'deadbeef' }],
      ['memory.forget', { project: 'deadbeef', id: 'x' }],
      ['history.getSession', { id: 'nothing' }],
      ['history.getSession', { id: 'nothing', project: 'deadbeef' }],
      ['context.loadSession', { id: 'nothing' }],
      ['files.add', { path: '../../../etc/passwd' }],
      ['files.add', { path: 'missing.txt' }],
    ] as const) {
      expect([method, await rawCall(server, method, params)]).toMatchObject([
        method,
        { error: { code: -32000, data: { code: 'NOT_FOUND' } } },
      ]);
    }
    expect(await rawCall(server, 'chat.send', { prompt: '  ' })).toMatchObject({
      error: { data: { code: 'USAGE' } },
    });
    expect(server.errors).toEqual([]);
  });

  it('compresses a response of more than a kilobyte for clients that accept it', async () => {
    const server = await serve();
    const { history } = server.openedHome.openProject(server.place.cwd);
    for (let index = 0; index < 30; index += 1) history.append({ role: 'user', content: `word ${index}` });
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'history.search',
      params: { query: 'word' },
    });
    const packed = await post(server, '/rpc', body, { 'accept-encoding': 'gzip' });
    expect(packed.headers['content-encoding']).toBe('gzip');
    const plain = await post(server, '/rpc', body);
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(JSON.parse(gunzipSync(packed.bytes).toString())).toEqual(JSON.parse(plain.text));
    expect((await call(server, 'history.search', { query: 'word' })).total).toBe(30);
  });

  it('closes the connection at a binary message', async () => {
    const client = await Client.connect(await serve());
    client.socket.send(Buffer.from([1, 2, 3]));
    expect(await client.closed()).toBe(1003);
  });
});

describe('checkParameters', () => {
  const table = {
    name: text(5),
    size: optional(count(1, 9)),
    kind: optional(oneOf('a', 'b')),
    list: optional(texts(2, 3)),
    at: optional(time),
  };
  type Given = {
    readonly name: string;
    readonly size?: number;
    readonly kind?: 'a' | 'b';
    readonly list?: readonly string[];
    readonly at?: string;
  };

  it('returns valid parameters unchanged', () => {
    const given = { name: 'x', size: 3, kind: 'b', list: ['a', 'b'], at: '2026-01-02T03:04:05Z' };
    expect(checkParameters<Given>(given, table)).toEqual({ ok: true, value: given });
    expect(checkParameters<Record<never, never>>(undefined, {})).toEqual({ ok: true, value: {} });
  });

  it('never throws, and returns only valid parameters', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.anything(),
          fc.record(
            {
              name: fc.oneof(fc.string(), fc.anything()),
              size: fc.oneof(fc.integer(), fc.anything()),
              at: fc.oneof(
                fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
                fc.string(),
              ),
            },
            { requiredKeys: ['name'] },
          ),
        ),
        (given) => {
          const checked = checkParameters<Given>(given, table);
          if (!checked.ok) {
            expect(checked.problem).not.toBe('');
            return;
          }
          expect(typeof checked.value.name).toBe('string');
          expect(Object.keys(checked.value).every((key) => Object.hasOwn(table, key))).toBe(true);
          if (checked.value.size !== undefined) expect(checked.value.size).toBeGreaterThanOrEqual(1);
          if (checked.value.at !== undefined) expect(Date.parse(checked.value.at)).not.toBeNaN();
        },
      ),
    );
  });
});
