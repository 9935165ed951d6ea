import fc from 'fast-check';
import type { PromptContent } from '../../../src/context/assembly/prompt.ts';
import type { PromptMessage } from '../../../src/context/message.ts';

/** The shortest prompt, with required parts only. */
export const MINIMAL: PromptContent = {
  systemPrompt: 'You write code.',
  files: new Map(),
  history: [],
  prompt: 'Go.',
};

/** All text of a message, without markers and images. */
export function textOf({ content }: PromptMessage): string {
  if (typeof content === 'string') return content;
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

const path = fc.stringMatching(/^[a-z]{1,6}(\/[a-z]{1,6}){0,2}\.(ts|md)$/);
const text = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.constantFrom('```\ncode\n```', '````', '# Working Files', 'Ok.', '\u{1f600}', '\ud800', '\r\n', ''),
);
const texts = fc.map(path, text, { maxKeys: 6 });
const turn = fc.record({ role: fc.constantFrom('user' as const, 'assistant' as const), content: text });
const image = fc.record({
  type: fc.constant('image' as const),
  mediaType: fc.constantFrom('image/png', 'image/jpeg'),
  base64: fc.base64String({ maxLength: 40 }),
});

/** Any prompt with all possible sections, and with texts that look like sections or fences. */
export const anyInput: fc.Arbitrary<PromptContent> = fc.record(
  {
    systemPrompt: text,
    repositoryStructure: text,
    symbols: texts,
    fileTree: text,
    urlContext: fc.array(text, { maxLength: 3 }),
    reviewContext: text,
    files: texts,
    history: fc.array(turn, { maxLength: 8 }),
    prompt: text,
    images: fc.array(image, { maxLength: 2 }),
  },
  { requiredKeys: ['systemPrompt', 'files', 'history', 'prompt'] },
);

/** Any list of messages, with or without markers. */
export const anyMessages: fc.Arbitrary<PromptMessage[]> = fc.array(
  fc.record({
    role: fc.constantFrom('system' as const, 'user' as const, 'assistant' as const),
    content: fc.oneof(
      text,
      fc.array(
        fc.oneof(
          image,
          fc.record(
            { type: fc.constant('text' as const), text, cacheMarker: fc.constant(true as const) },
            { requiredKeys: ['type', 'text'] },
          ),
        ),
        { maxLength: 4 },
      ),
    ),
  }),
  { maxLength: 10 },
);
