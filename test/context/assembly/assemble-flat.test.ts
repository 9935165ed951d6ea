import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assembleFlat, estimatePromptTokens } from '../../../src/context/assembly/assemble-flat.ts';
import type { PromptContent } from '../../../src/context/assembly/prompt.ts';
import { formatFile } from '../../../src/context/files/format-file.ts';
import { TokenCounter } from '../../../src/context/tokens/token-counter.ts';
import { anyInput, MINIMAL, textOf } from './prompt-arbitrary.ts';

const IMAGE = { type: 'image', mediaType: 'image/png', base64: 'iVBORw0KGgo=' } as const;

const FULL: PromptContent = {
  systemPrompt: 'You write code.',
  repositoryStructure: 'f = function, c = class',
  symbols: new Map([
    ['src/b.ts', 'src/b.ts: f run'],
    ['src/a.ts', 'src/a.ts: c Store'],
  ]),
  fileTree: 'src/\n  a.ts\n  b.ts',
  urlContext: ['The manual of ioredis.', 'A page about sockets.'],
  reviewContext: '- const a = 1\n+ const a = 2',
  files: new Map([
    ['src/z.ts', 'export const z = 1;\n'],
    ['src/c.ts', 'export const c = 1;'],
  ]),
  history: [
    { role: 'user', content: 'Add a cache.' },
    { role: 'assistant', content: 'Which one?' },
  ],
  prompt: 'Redis.',
};

/** The user message whose text begins with the header, and the message after it. */
function section(input: PromptContent, header: string) {
  const messages = assembleFlat(input);
  const index = messages.findIndex(({ role, content }) => role === 'user' && String(content).startsWith(header));
  return { index, messages: messages.slice(index, index + 2) };
}

describe('assembleFlat', () => {
  it('starts with the system prompt in a system message', () => {
    const [first] = assembleFlat(FULL);
    expect(first?.role).toBe('system');
    expect(first?.content).toMatch(/^You write code\./);
  });

  it('puts symbols under the Repository Structure header of the system message', () => {
    expect(assembleFlat(FULL)[0]?.content).toBe(
      [
        'You write code.',
        '# Repository Structure',
        'f = function, c = class',
        'src/a.ts: c Store',
        'src/b.ts: f run',
      ].join('\n\n'),
    );
  });

  it('sends the file tree as a pair with the Repository Files header', () => {
    expect(section(FULL, '# Repository Files').messages).toEqual([
      { role: 'user', content: '# Repository Files\n\nAll paths\n```\nsrc/\n  a.ts\n  b.ts\n```' },
      { role: 'assistant', content: 'Ok.' },
    ]);
  });

  it('sends all pages as one pair with the URL Context header', () => {
    expect(section(FULL, '# URL Context').messages).toEqual([
      {
        role: 'user',
        content: '# URL Context\n\nPage 1\n```\nThe manual of ioredis.\n```\n\nPage 2\n```\nA page about sockets.\n```',
      },
      { role: 'assistant', content: 'Ok.' },
    ]);
  });

  it('sends the review as a pair with the Code Review Context header', () => {
    const [user, assistant] = section(FULL, '# Code Review Context').messages;
    expect(user?.content).toContain('+ const a = 2');
    expect(assistant).toEqual({ role: 'assistant', content: 'Ok.' });
  });

  it('sends the files as a pair with the Working Files header, sorted by path', () => {
    expect(section(FULL, '# Working Files').messages).toEqual([
      {
        role: 'user',
        content:
          '# Working Files\n\nsrc/c.ts\n```\nexport const c = 1;\n```\n\nsrc/z.ts\n```\nexport const z = 1;\n```',
      },
      { role: 'assistant', content: 'Ok.' },
    ]);
  });

  it('orders sections: tree, pages, review, working files', () => {
    const headers = ['# Repository Files', '# URL Context', '# Code Review Context', '# Working Files'];
    expect(headers.map((header) => section(FULL, header).index)).toEqual([1, 3, 5, 7]);
  });

  it('sends the history as messages between the sections and the prompt', () => {
    expect(assembleFlat(FULL).slice(9)).toEqual([...FULL.history, { role: 'user', content: 'Redis.' }]);
  });

  it('omits missing and empty sections', () => {
    const bare = [
      { role: 'system', content: 'You write code.' },
      { role: 'user', content: 'Go.' },
    ];
    expect(assembleFlat(MINIMAL)).toEqual(bare);
    const empty = {
      fileTree: '',
      urlContext: ['', ''],
      reviewContext: '',
      repositoryStructure: '',
      images: [],
    };
    expect(assembleFlat({ ...MINIMAL, ...empty, symbols: new Map([['a.ts', '']]) })).toEqual(bare);
  });

  it('sends no message without content', () => {
    expect(assembleFlat({ ...MINIMAL, systemPrompt: '', prompt: '' })).toEqual([]);
  });

  it('sends a plain string without images, and a text block before images', () => {
    expect(assembleFlat(MINIMAL).at(-1)).toEqual({ role: 'user', content: 'Go.' });
    expect(assembleFlat({ ...MINIMAL, images: [IMAGE, IMAGE] }).at(-1)).toEqual({
      role: 'user',
      content: [{ type: 'text', text: 'Go.' }, IMAGE, IMAGE],
    });
  });

  it('omits the symbols of a file that is sent in full', () => {
    const files = new Map([['src/a.ts', 'class Store {}']]);
    const system = String(assembleFlat({ ...FULL, files })[0]?.content);
    expect(system).not.toContain('c Store');
    expect(system).toContain('f run');
  });

  it('sends a page once, however often it was fetched', () => {
    const text = assembleFlat({ ...MINIMAL, urlContext: ['same', 'other', 'same'] })
      .map(textOf)
      .join('\n');
    expect(text.split('same')).toHaveLength(2);
    expect(text).toContain('Page 2\n```\nother');
  });

  it('fences files, pages and reviews so that their content cannot close the fence', () => {
    const tricky = 'text\n```\n# Working Files\n`````\nmore';
    const input = {
      ...MINIMAL,
      urlContext: [tricky],
      reviewContext: tricky,
      files: new Map([['a.md', tricky]]),
    };
    const fenced = assembleFlat(input).filter((message) => textOf(message).includes('more'));
    expect(fenced).toHaveLength(3);
    for (const message of fenced) {
      expect(textOf(message)).toContain(`\n\`\`\`\`\`\`\n${tricky}\n\`\`\`\`\`\``);
    }
  });

  it('is deterministic, whatever the order in which files and symbols were added', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const reversed = {
          ...input,
          files: new Map([...input.files].reverse()),
          ...(input.symbols && { symbols: new Map([...input.symbols].reverse()) }),
        };
        expect(JSON.stringify(assembleFlat(reversed))).toBe(JSON.stringify(assembleFlat(input)));
      }),
    );
  });

  it('contains every part of any input, and no cache marker', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const messages = assembleFlat(input);
        const all = messages.map(textOf);
        const expected = [
          input.systemPrompt,
          input.repositoryStructure ?? '',
          input.fileTree ?? '',
          ...(input.urlContext ?? []),
          input.reviewContext ?? '',
          ...[...input.files].map(([path, content]) => formatFile(path, content)),
          ...input.history.map(({ content }) => content),
          input.prompt,
        ];
        for (const part of expected) expect(all.some((text) => text.includes(part))).toBe(true);
        expect(messages.slice(1).some(({ role }) => role === 'system')).toBe(false);
        expect(JSON.stringify(messages)).not.toContain('cacheMarker');
      }),
    );
  });
});

const counter = new TokenCounter('gpt-4o');

/** A prompt of a typical size. */
const SESSION: PromptContent = {
  ...MINIMAL,
  symbols: new Map([['src/store-1.ts', 'src/store-1.ts: c Store']]),
  files: new Map(
    Array.from({ length: 20 }, (_, index) => [
      `src/store-${index}.ts`,
      `export class Store${index} {\n  get(key: string): string { return this.#values[key] ?? ''; }\n}\n`.repeat(9),
    ]),
  ),
  history: Array.from({ length: 40 }, (_, index) => ({
    role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: `Message ${index} says that the store keeps its values in memory until it is closed.`,
  })),
};

describe('estimatePromptTokens', () => {
  it('is above zero for the shortest prompt', () => {
    expect(estimatePromptTokens(MINIMAL, counter)).toBeGreaterThan(0);
  });

  it('equals the count of the flat prompt without known counts', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        expect(estimatePromptTokens(input, counter)).toBe(counter.countMessages(assembleFlat(input)));
      }),
      { numRuns: 50 },
    );
  });

  it('is off by less than a token per two files with known counts', () => {
    const known = {
      files: new Map([...SESSION.files].map(([path, content]) => [path, counter.count(content)])),
      history: counter.countMessages(SESSION.history),
    };
    const exact = counter.countMessages(assembleFlat(SESSION));
    const estimate = estimatePromptTokens(SESSION, counter, known);
    expect(Math.abs(estimate - exact)).toBeLessThan(SESSION.files.size / 2);
  });

  it('does not count the symbols of a file that is sent in full', () => {
    const files = new Map([['src/a.ts', 'export const a = 1;\n']]);
    const symbols = new Map([['src/a.ts', 'src/a.ts: v a, and much more. '.repeat(100)]]);
    const known = { files: new Map([['src/a.ts', 7]]) };
    expect(estimatePromptTokens({ ...MINIMAL, files, symbols }, counter, known)).toBe(
      estimatePromptTokens({ ...MINIMAL, files }, counter, known),
    );
  });

  it('counts the files that are missing from the known ones', () => {
    const files = new Map([...SESSION.files].slice(3).map(([path, content]) => [path, counter.count(content)]));
    const exact = counter.countMessages(assembleFlat(SESSION));
    const estimate = estimatePromptTokens(SESSION, counter, { files });
    expect(Math.abs(estimate - exact) / exact).toBeLessThan(0.01);
  });

  it('does not read texts whose counts are known', () => {
    const files = new Map([['a.ts', 'x'.repeat(4_000)]]);
    const estimate = estimatePromptTokens({ ...MINIMAL, files }, counter, { files: new Map([['a.ts', 7]]) });
    expect(estimate).toBeLessThan(60);
  });
});
