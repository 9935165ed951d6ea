import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Ledger } from '../../src/chat/ledger.ts';
import { ModelResponder } from '../../src/chat/models/model-responder.ts';
import type { ModelSettings } from '../../src/chat/models/open-model.ts';
import type { RetryOptions } from '../../src/chat/models/stream-model.ts';
import type { ResponsePart } from '../../src/chat/responder.ts';
import type { PromptMessage } from '../../src/context/message.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { ModelServer } from './model-server.ts';

const QUESTION: readonly PromptMessage[] = [
  { role: 'system', content: [{ type: 'text', text: 'You are yore.', cacheMarker: true }] },
  { role: 'user', content: 'Earlier question' },
  { role: 'assistant', content: [{ type: 'text', text: 'Earlier answer', cacheMarker: true }] },
  { role: 'user', content: 'What now?' },
];

const QUICK: RetryOptions = { firstWaitMs: 5, maxWaitMs: 20 };

interface Setup {
  readonly responder: ModelResponder;
  readonly ledger: Ledger;
}

function responderFor(
  server: { readonly url: string },
  provider: ModelSettings['provider'] = 'openai-compatible',
  {
    env = { ANTHROPIC_API_KEY: 'key-a', OPENAI_API_KEY: 'key-o' },
    retry = QUICK,
  }: {
    readonly env?: Readonly<Record<string, string>>;
    readonly retry?: RetryOptions;
  } = {},
): Setup {
  const ledger = new Ledger(temporaryFolder(), () => Date.UTC(2026, 0, 2));
  const settings = { provider, name: 'claude-sonnet-4-5', smallName: 'small', baseUrl: server.url };
  return { responder: new ModelResponder(settings, { env, ledger, project: 'abcd1234', retry }), ledger };
}

async function ask(
  { responder }: Setup,
  signal: AbortSignal = new AbortController().signal,
  onPart: (part: ResponsePart) => void = () => undefined,
): Promise<readonly ResponsePart[]> {
  const parts: ResponsePart[] = [];
  for await (const part of responder.respond({
    messages: QUESTION,
    prompt: 'What now?',
    sessionId: 's1',
    signal,
  })) {
    parts.push(part);
    onPart(part);
  }
  return parts;
}

function textOf(parts: readonly ResponsePart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

function ledgerLines({ ledger }: Setup): readonly Record<string, unknown>[] {
  if (!existsSync(ledger.path)) return [];
  return readFileSync(ledger.path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe.each(['openai-compatible', 'openai', 'anthropic'] as const)('a model from %s', (provider) => {
  it('gets the prompt and streams its reply with the usage', async () => {
    const server = await ModelServer.start();
    server.usage = { input: 100, output: 7, cacheRead: 900, cacheWrite: 0 };
    server.script([{ say: 'Try ' }, { say: 'ioredis.' }]);
    const setup = responderFor(server, provider);
    const parts = await ask(setup);
    expect(parts.filter((part) => part.type === 'text').length).toBeGreaterThan(1);
    expect(textOf(parts)).toBe('Try ioredis.');
    expect(parts.at(-1)).toMatchObject({
      type: 'usage',
      usage: { inputTokens: 100, outputTokens: 7, cacheReadTokens: 900 },
    });
    expect(JSON.stringify(server.requests[0]?.body.messages)).toContain('What now?');
    expect(ledgerLines(setup)).toMatchObject([
      { v: 1, at: '2026-01-02T00:00:00.000Z', why: 'chat', project: 'abcd1234', outcome: 'ok' },
    ]);
  });

  it('is retried with a notice when it is overloaded', async () => {
    const server = await ModelServer.start();
    server.script(
      [{ status: 429, message: 'slow down', headers: { 'retry-after': '0.01' } }],
      [{ status: 503, message: 'overloaded' }],
      [{ say: 'Here.' }],
    );
    const parts = await ask(responderFor(server, provider));
    expect(parts.filter((part) => part.type === 'notice')).toHaveLength(2);
    expect(textOf(parts)).toBe('Here.');
    expect(server.requests).toHaveLength(3);
  });

  it('fails with advice to try later when it stays overloaded', async () => {
    const server = await ModelServer.start();
    server.script([{ status: 429, message: 'slow down' }]);
    const setup = responderFor(server, provider);
    await expect(ask(setup)).rejects.toMatchObject({
      code: 'MODEL',
      message: expect.stringMatching(/too many requests.*slow down.*again/s),
    });
    expect(server.requests).toHaveLength(4);
    expect(ledgerLines(setup)).toMatchObject([{ outcome: 'failed' }]);
  });

  it('names the key variable when the key is rejected', async () => {
    const server = await ModelServer.start();
    server.script([{ status: 401, message: 'bad key' }]);
    await expect(ask(responderFor(server, provider))).rejects.toMatchObject({
      code: 'MODEL',
      message: expect.stringMatching(/rejected the API key.*_API_KEY/s),
    });
    expect(server.requests).toHaveLength(1);
  });

  it('fails with OVERFLOW when the prompt is too long', async () => {
    const server = await ModelServer.start();
    server.script([{ status: 400, message: "This model's maximum context length is 8192 tokens" }]);
    await expect(ask(responderFor(server, provider))).rejects.toMatchObject({ code: 'OVERFLOW' });
  });

  it('fails after what has arrived when the reply is interrupted', async () => {
    const server = await ModelServer.start();
    server.script([{ say: 'Half a' }, { waitMs: 20 }, { breakOff: true }]);
    const said: string[] = [];
    const asking = ask(responderFor(server, provider), undefined, (part) => {
      if (part.type === 'text') said.push(part.text);
    });
    await expect(asking).rejects.toMatchObject({ code: 'MODEL' });
    expect(said.join('')).toBe('Half a');
    expect(server.requests).toHaveLength(1);
  });

  it('times out when it stops sending', async () => {
    const server = await ModelServer.start();
    server.script([{ say: 'Wait' }, { stall: true }]);
    const setup = responderFor(server, provider, { retry: { ...QUICK, idleTimeoutMs: 150 } });
    await expect(ask(setup)).rejects.toMatchObject({
      code: 'MODEL',
      message: expect.stringMatching(/nothing for/),
    });
  });

  it('ends at once when cancelled, closes the connection and is recorded', async () => {
    const server = await ModelServer.start();
    server.script([{ say: 'One' }, { stall: true }]);
    const setup = responderFor(server, provider);
    const abort = new AbortController();
    const parts = await ask(setup, abort.signal, (part) => {
      if (part.type === 'text') abort.abort();
    });
    expect(textOf(parts)).toBe('One');
    expect(ledgerLines(setup)).toMatchObject([{ outcome: 'cancelled' }]);
    await expect.poll(() => server.hangUps).toBe(1);
  });
});

describe('a model', () => {
  it('from Anthropic gets cache markers in its own format', async () => {
    const server = await ModelServer.start();
    await ask(responderFor(server, 'anthropic'));
    const { body, headers } = server.requests[0] ?? {};
    expect(headers?.['x-api-key']).toBe('key-a');
    expect(body.system.at(-1)).toMatchObject({ text: 'You are yore.', cache_control: { type: 'ephemeral' } });
    expect(body.messages[1].content.at(-1)).toMatchObject({ cache_control: { type: 'ephemeral' } });
    expect(JSON.stringify(body).split('cache_control')).toHaveLength(3);
  });

  it('without a key is not called: the error names the variable', async () => {
    const server = await ModelServer.start();
    const setup = responderFor(server, 'anthropic', { env: {} });
    await expect(ask(setup)).rejects.toMatchObject({
      code: 'MODEL',
      message: expect.stringMatching(/no API key for anthropic.*ANTHROPIC_API_KEY/s),
    });
    expect(server.requests).toHaveLength(0);
    expect(ledgerLines(setup)).toEqual([]);
  });

  it('at an unreachable address fails with the address', async () => {
    const server = await ModelServer.start();
    const { url } = server;
    await server.stop();
    await expect(ask(responderFor({ url }))).rejects.toMatchObject({
      code: 'MODEL',
      message: expect.stringMatching(/127\.0\.0\.1.*cannot be reached.*ECONNREFUSED/s),
    });
  });

  it('that does not exist is named in the error', async () => {
    const server = await ModelServer.start();
    server.script([{ status: 404, message: 'no such model' }]);
    await expect(ask(responderFor(server))).rejects.toMatchObject({
      message: expect.stringMatching(/has no model claude-sonnet-4-5/),
    });
  });

  it('gets images along with the text', async () => {
    const server = await ModelServer.start();
    const { responder } = responderFor(server);
    const messages: readonly PromptMessage[] = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image', mediaType: 'image/png', base64: 'aGk=' },
        ],
      },
    ];
    const { signal } = new AbortController();
    for await (const _ of responder.respond({ messages, prompt: 'Look', sessionId: 's1', signal }));
    expect(server.requests[0]?.body.messages[0].content).toEqual([
      { type: 'text', text: 'Look' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
    ]);
  });
});

describe('the ledger', () => {
  it('adds up calls since a time and skips unreadable lines', async () => {
    const server = await ModelServer.start();
    const setup = responderFor(server, 'anthropic');
    await ask(setup);
    await ask(setup);
    expect(setup.ledger.total()).toMatchObject({ calls: 2, inputTokens: 22, outputTokens: 14 });
    expect(setup.ledger.total().cost).toBeCloseTo((2 * (11 * 3 + 7 * 15)) / 1e6, 10);
    expect(setup.ledger.total('2026-02-01')).toEqual({ calls: 0, inputTokens: 0, outputTokens: 0, cost: 0 });
    expect(statSync(setup.ledger.path).mode & 0o777).toBe(0o600);
  });

  it('is empty without a file', () => {
    expect(new Ledger(join(temporaryFolder(), 'none')).total().calls).toBe(0);
  });
});
