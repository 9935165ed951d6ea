import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toAiSdkPrompt } from '../../../../src/context/assembly/providers/ai-sdk.ts';
import { toAnthropicPrompt } from '../../../../src/context/assembly/providers/anthropic.ts';
import { toOpenAiMessages } from '../../../../src/context/assembly/providers/openai.ts';
import type { PromptMessage } from '../../../../src/context/message.ts';
import { anyMessages } from '../prompt-arbitrary.ts';

const IMAGE = { type: 'image', mediaType: 'image/png', base64: 'iVBORw0KGgo=' } as const;
const EPHEMERAL = { type: 'ephemeral' };

const PROMPT: PromptMessage[] = [
  { role: 'system', content: [{ type: 'text', text: 'You write code.', cacheMarker: true }] },
  { role: 'user', content: [{ type: 'text', text: '# Reference Files', cacheMarker: true }] },
  { role: 'assistant', content: 'Ok.' },
  { role: 'user', content: [{ type: 'text', text: 'What is this?' }, IMAGE] },
];

describe('toAnthropicPrompt', () => {
  it('separates system messages, sets cache_control at markers, and uses plain strings elsewhere', () => {
    expect(toAnthropicPrompt(PROMPT)).toEqual({
      system: [{ type: 'text', text: 'You write code.', cache_control: EPHEMERAL }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: '# Reference Files', cache_control: EPHEMERAL }] },
        { role: 'assistant', content: 'Ok.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
          ],
        },
      ],
    });
  });

  it('can request a cache of an hour', () => {
    const { system } = toAnthropicPrompt(PROMPT, { ttl: '1h' });
    expect(system?.[0]?.cache_control).toEqual({ type: 'ephemeral', ttl: '1h' });
  });
});

describe('toAiSdkPrompt', () => {
  it('separates system messages and sets provider options at markers', () => {
    const providerOptions = { anthropic: { cacheControl: EPHEMERAL } };
    expect(toAiSdkPrompt(PROMPT)).toEqual({
      system: [{ role: 'system', content: 'You write code.', providerOptions }],
      messages: [
        { role: 'user', content: '# Reference Files', providerOptions },
        { role: 'assistant', content: 'Ok.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image', image: 'iVBORw0KGgo=', mediaType: 'image/png' },
          ],
        },
      ],
    });
  });

  it('marks the text, not the image after it', () => {
    const content = [{ type: 'text', text: 'See:', cacheMarker: true } as const, IMAGE];
    const [message] = toAiSdkPrompt([{ role: 'user', content }]).messages;
    expect(message).not.toHaveProperty('providerOptions');
    expect(message?.content).toMatchObject([
      { type: 'text', providerOptions: { anthropic: { cacheControl: EPHEMERAL } } },
      { type: 'image' },
    ]);
    expect(message?.content[1]).not.toHaveProperty('providerOptions');
  });

  it('sets the cache options of another provider', () => {
    const cacheOptions = { bedrock: { cachePoint: { type: 'default' } } };
    expect(toAiSdkPrompt(PROMPT, { cacheOptions }).system?.[0]?.providerOptions).toEqual(cacheOptions);
  });
});

describe('toOpenAiMessages', () => {
  it('returns one list of messages without markers, images as data URLs', () => {
    expect(toOpenAiMessages(PROMPT)).toEqual([
      { role: 'system', content: 'You write code.' },
      { role: 'user', content: '# Reference Files' },
      { role: 'assistant', content: 'Ok.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
        ],
      },
    ]);
  });
});

describe('text of several blocks for OpenAI', () => {
  it('is one string, because not every compatible server accepts parts', () => {
    const content = [
      { type: 'text', text: 'one', cacheMarker: true },
      { type: 'text', text: '\n\ntwo' },
    ] as const;
    expect(toOpenAiMessages([{ role: 'user', content }])).toEqual([{ role: 'user', content: 'one\n\ntwo' }]);
  });
});

describe('every format', () => {
  const formats = {
    anthropic: (messages: PromptMessage[]) => toAnthropicPrompt(messages),
    'AI SDK': (messages: PromptMessage[]) => toAiSdkPrompt(messages),
    OpenAI: (messages: PromptMessage[]) => ({ messages: toOpenAiMessages(messages) }),
  };

  it.each(Object.entries(formats))('%s leaves out what no provider takes: blank texts and empty messages', (_, to) => {
    const blank: PromptMessage[] = [
      { role: 'system', content: ' ' },
      { role: 'user', content: [] },
      { role: 'assistant', content: '\n' },
      { role: 'user', content: [{ type: 'text', text: '' }, IMAGE] },
    ];
    const { messages } = to(blank);
    expect(messages).toHaveLength(1);
    expect(messages[0]?.content).toHaveLength(1);
  });

  it.each(Object.entries(formats))('%s replaces halves of characters that were cut in two', (_, to) => {
    const [cut] = to([{ role: 'user', content: `${'\u{1f600}'.slice(0, 1)} and \u{1f600}` }]).messages;
    expect(cut?.content).toBe('\ufffd and \u{1f600}');
  });

  it.each(Object.entries(formats))('%s does not change what it is given, and gives the same each time', (_, to) => {
    fc.assert(
      fc.property(anyMessages, (messages) => {
        const before = JSON.stringify(messages);
        const first = to(messages);
        expect(to(messages)).toEqual(first);
        expect(JSON.stringify(messages)).toBe(before);
      }),
    );
  });

  it.each(Object.entries(formats))(
    '%s holds no blank text, no empty message and no picture of an assistant',
    (_, to) => {
      fc.assert(
        fc.property(anyMessages, (messages) => {
          for (const { role, content } of to(messages).messages) {
            expect(content.length).toBeGreaterThan(0);
            const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
            for (const part of parts) {
              if ('text' in part) expect(part.text).toMatch(/\S/);
              else expect(role).toBe('user');
            }
          }
        }),
      );
    },
  );

  it('marks every marked text that can be sent, for Anthropic and the AI SDK', () => {
    fc.assert(
      fc.property(anyMessages, (messages) => {
        const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
        const marked = blocks.filter((block) => block.type === 'text' && block.cacheMarker && /\S/.test(block.text));
        const count = (prompt: object, word: string) => JSON.stringify(prompt).split(`"${word}":{`).length - 1;
        expect(count(toAnthropicPrompt(messages), 'cache_control')).toBe(marked.length);
        expect(count(toAiSdkPrompt(messages), 'cacheControl')).toBe(marked.length);
      }),
    );
  });
});
