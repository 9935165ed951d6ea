import { createAnthropic } from '@ai-sdk/anthropic';
import { generateText } from 'ai';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { toAiSdkPrompt } from '../../../../src/context/assembly/providers/ai-sdk.ts';
import { toAnthropicPrompt } from '../../../../src/context/assembly/providers/anthropic.ts';
import { usageFromAiSdk } from '../../../../src/context/assembly/providers/usage.ts';
import type { PromptMessage } from '../../../../src/context/message.ts';
import { type AnthropicServer, blocksOf, markedEnds, startAnthropicServer } from '../../anthropic-server.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const LONG = 'A rule that holds for the whole project. '.repeat(200);

/** A prompt with a marker in every place that can carry one. */
const PROMPT: PromptMessage[] = [
  { role: 'system', content: [{ type: 'text', text: `${LONG}\nend of system`, cacheMarker: true }] },
  { role: 'user', content: [{ type: 'text', text: 'files\nend of user', cacheMarker: true }] },
  { role: 'assistant', content: 'Ok.' },
  { role: 'user', content: 'And now?' },
  { role: 'assistant', content: [{ type: 'text', text: 'Now\nend of assistant', cacheMarker: true }] },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Look:\nend of text', cacheMarker: true },
      { type: 'image', mediaType: 'image/png', base64: PNG },
    ],
  },
];

describe('a prompt sent through the AI SDK', () => {
  let server: AnthropicServer;
  beforeAll(async () => {
    server = await startAnthropicServer(() => 'Done.');
  });
  afterAll(() => server.close());

  const ask = () => {
    const anthropic = createAnthropic({ baseURL: server.url, apiKey: 'none' });
    return generateText({ model: anthropic('claude-sonnet-4-5'), ...toAiSdkPrompt(PROMPT), maxRetries: 0 });
  };

  it('reaches the provider with cache_control on exactly the marked blocks, without a warning', async () => {
    const warn = vi.spyOn(console, 'warn');
    const { text, warnings } = await ask();
    expect(text).toBe('Done.');
    expect(warnings ?? []).toEqual([]);
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
    const [request] = server.requests;
    expect(request && markedEnds(request)).toEqual(['end of system', 'end of user', 'end of assistant', 'end of text']);
  });

  it("has the same blocks on the wire as Anthropic's format", async () => {
    const [request] = server.requests;
    const own = toAnthropicPrompt(PROMPT);
    expect(request && blocksOf(request)).toEqual(blocksOf({ model: '', ...own }));
  });

  it('is read from the cache the second time, as the usage reports', async () => {
    const { usage } = await ask();
    const { cacheReadTokens = 0, cacheWriteTokens, inputTokens } = usageFromAiSdk(usage);
    expect(cacheReadTokens).toBeGreaterThan(2_000);
    expect(cacheWriteTokens).toBe(0);
    expect(inputTokens).toBeGreaterThan(0);
    expect(usage.inputTokens).toBe(cacheReadTokens + (inputTokens ?? 0));
  });
});
