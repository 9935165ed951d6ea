import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assembleFlat } from '../../../src/context/assembly/assemble-flat.ts';
import { assembleTiered, type PromptPiece, placeMarkers } from '../../../src/context/assembly/assemble-tiered.ts';
import type { PromptContent } from '../../../src/context/assembly/prompt.ts';
import { StabilityTracker } from '../../../src/context/cache/stability-tracker.ts';
import { type ItemKey, type Placement, placementOf, TIERS, type Tier } from '../../../src/context/cache/tiers.ts';
import { formatFile } from '../../../src/context/files/format-file.ts';
import type { PromptMessage } from '../../../src/context/message.ts';
import { anyInput, MINIMAL, textOf } from './prompt-arbitrary.ts';

const LONG = 'A line of the system prompt.\n'.repeat(300);
const INPUT: PromptContent = {
  systemPrompt: LONG,
  repositoryStructure: 'f = function',
  symbols: new Map(['s0', 's1', 's2', 's3', 'sa', 'one.ts'].map((path) => [path, `symbols of ${path}`])),
  fileTree: 'one.ts\ntwo.ts',
  urlContext: ['A page.'],
  reviewContext: '+ a line',
  files: new Map([
    ['one.ts', 'export const one = 1;'],
    ['two.ts', 'export const two = 2;'],
    ['three.ts', 'export const three = 3;'],
  ]),
  history: ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'].map((content, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content,
  })),
  prompt: 'The prompt.',
};

function markedTexts(messages: readonly PromptMessage[]): string[] {
  return messages.flatMap(({ content }) =>
    typeof content === 'string'
      ? []
      : content.flatMap((block) => (block.type === 'text' && block.cacheMarker ? [block.text] : [])),
  );
}

function assemble(tiers: Parameters<typeof placementOf>[0], input: PromptContent = INPUT): PromptMessage[] {
  return assembleTiered(input, placementOf(tiers));
}

function withHeader(messages: readonly PromptMessage[], header: string): PromptMessage[] {
  return messages.filter((message) => textOf(message).includes(`# ${header}`));
}

describe('assembleTiered', () => {
  it('omits promoted files from the active files', () => {
    const [working] = withHeader(assemble({ L2: ['file:one.ts'] }), 'Working Files');
    expect(textOf(working ?? { role: 'user', content: '' })).not.toContain('one = 1');
    expect(textOf(working ?? { role: 'user', content: '' })).toContain('two = 2');
  });

  it('has no Working Files section when all files are promoted', () => {
    const messages = assemble({ L1: ['file:one.ts'], L3: ['file:two.ts', 'file:three.ts'] });
    expect(withHeader(messages, 'Working Files')).toEqual([]);
    expect(withHeader(messages, 'Reference Files')).toHaveLength(2);
  });

  it('marks the system message when L0 has no history', () => {
    const [system, ...others] = assemble({ L0: ['symbol:s0', 'file:one.ts'] });
    expect(system?.role).toBe('system');
    const texts = markedTexts(system === undefined ? [] : [system]);
    expect(texts).toHaveLength(1);
    const order = [LONG, '# Repository Structure\n\nf = function', 'symbols of s0', '# Reference Files', 'one = 1'];
    const places = order.map((text) => texts[0]?.indexOf(text));
    expect(places).toEqual([...places].sort((a, b) => (a ?? 0) - (b ?? 0)));
    expect(places).not.toContain(-1);
    expect(markedTexts(others)).toEqual([]);
  });

  it("marks the last message of L0's history instead, if there is one", () => {
    const messages = assemble({ L0: ['history:0', 'history:1'] });
    expect(messages[0]?.content).toEqual(expect.any(String));
    expect(messages[1]).toEqual({ role: 'user', content: 'first' });
    expect(messages[2]).toEqual({
      role: 'assistant',
      content: [{ type: 'text', text: 'second', cacheMarker: true }],
    });
    expect(markedTexts(messages)).toEqual(['second']);
  });

  it('sends the symbols of L1 as a user and assistant pair', () => {
    const messages = assemble({ L1: ['symbol:s1', 'file:one.ts'], L2: ['symbol:s2'] });
    expect(messages.slice(1, 5).map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
    const text = textOf(messages[1] ?? { role: 'user', content: '' });
    expect(text).toContain('symbols of s1');
    expect(text.indexOf('symbols of s1')).toBeLessThan(text.indexOf('one = 1'));
    expect(textOf(messages[2] ?? { role: 'user', content: '' })).toBe('Ok.');
  });

  it('omits empty tiers', () => {
    const empty = assembleTiered({ ...MINIMAL, systemPrompt: LONG }, placementOf({}));
    expect(empty.map(({ role }) => role)).toEqual(['system', 'user']);
    const one = assembleTiered({ ...MINIMAL, files: new Map([['a', 'x']]) }, placementOf({ L2: ['file:a'] }));
    expect(one.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
  });

  it('sends everything in the documented order', () => {
    const messages = assemble({
      L0: ['symbol:s0', 'history:0', 'history:1'],
      L1: ['symbol:s1'],
      L3: ['symbol:s3', 'file:two.ts', 'history:2', 'history:3'],
    });
    const all = messages.map(textOf).join('\n');
    const order = [
      LONG,
      'symbols of s0',
      ...['first', 'second', 'symbols of s1', 'symbols of s3', 'two = 2', 'third', 'fourth'],
      ...['# Repository Files', '# URL Context', '# Code Review Context', 'symbols of sa'],
      ...['# Working Files', 'one = 1', 'three = 3', 'fifth', 'sixth', 'The prompt.'],
    ];
    const places = order.map((text) => all.indexOf(text));
    expect(places).not.toContain(-1);
    const sorted = [...places].sort((a, b) => a - b);
    // Files of a section are sorted by path.
    expect(places.indexOf(all.indexOf('three = 3'))).toBeGreaterThan(-1);
    expect(places).toEqual(sorted);
  });

  it('sets a marker at the end of each cached tier that is not empty', () => {
    const messages = assemble({
      L0: ['symbol:s0'],
      L1: ['symbol:s1', 'history:0', 'history:1'],
      L2: ['file:one.ts'],
      L3: ['symbol:s3', 'history:2', 'history:3'],
    });
    const marked = markedTexts(messages);
    expect(marked).toHaveLength(4);
    expect(marked.slice(1)).toEqual(['second', 'Ok.', 'fourth']);
    expect(markedTexts(assemble({ L0: ['symbol:s0'], L3: ['file:one.ts'] }))).toHaveLength(2);
  });

  it('omits the symbols of a file that is sent in full, whatever their tiers', () => {
    for (const tier of TIERS) {
      const placement = {
        [tier]: ['symbol:one.ts'],
        L1: ['file:one.ts', ...(tier === 'L1' ? ['symbol:one.ts'] : [])],
      };
      const all = assemble(placement as Parameters<typeof placementOf>[0])
        .map(textOf)
        .join('');
      expect(all).not.toContain('symbols of one.ts');
    }
  });

  it('sends a plain prompt without images, and a text block before images', () => {
    expect(assemble({}).at(-1)).toEqual({ role: 'user', content: 'The prompt.' });
    const image = { type: 'image', mediaType: 'image/png', base64: 'iVBORw0KGgo=' } as const;
    const last = assembleTiered({ ...INPUT, images: [image] }, { ...placementOf({}), markers: new Set(['prompt']) }).at(
      -1,
    );
    expect(last?.content).toEqual([{ type: 'text', text: 'The prompt.', cacheMarker: true }, image]);
  });

  it('orders files by rank', () => {
    const ranks = new Map<ItemKey, number>([
      ['file:one.ts', 2],
      ['file:two.ts', 1],
    ]);
    const placement: Placement = {
      ...placementOf({}),
      rankOf: (key) => ranks.get(key) ?? Number.POSITIVE_INFINITY,
    };
    const [working] = withHeader(assembleTiered(INPUT, placement), 'Working Files');
    const text = textOf(working ?? { role: 'user', content: '' });
    expect(text.match(/\w+ = \d/g)).toEqual(['two = 2', 'one = 1', 'three = 3']);
    expect(text).toBe(
      `# Working Files\n\n${['two', 'one', 'three'].map((name) => formatFile(`${name}.ts`, INPUT.files.get(`${name}.ts`) ?? '')).join('\n\n')}`,
    );
  });
});

const tier = fc.constantFrom<Tier>(...TIERS);
const anyPlacement = fc
  .record({
    tiers: fc.array(tier, { minLength: 1, maxLength: 12 }),
    ranks: fc.array(fc.nat(5), { maxLength: 5 }),
  })
  .map(({ tiers, ranks }): Placement => {
    const numberOf = (key: string) => [...key].reduce((sum, character) => sum + character.charCodeAt(0), 0);
    return {
      tierOf: (key) => tiers[numberOf(key) % tiers.length] ?? 'active',
      rankOf: (key) => ranks[numberOf(key) % 7] ?? Number.POSITIVE_INFINITY,
      markers: new Set(['system', 'prompt', 'history:1', 'history:2', 'history:3', 'symbols:L2', 'file:a.ts']),
    };
  });

/** Every line of a prompt except headings, acknowledgements and separators, sorted. */
function contentOf(messages: readonly PromptMessage[]): string[] {
  const lines = messages.flatMap((message) => textOf(message).split('\n'));
  return lines.filter((line) => line !== '' && line !== 'Ok.' && !/^# (Re|Work)/.test(line)).sort();
}

describe('assembleTiered on any input', () => {
  it('has the content of the flat prompt, each part once', () => {
    fc.assert(
      fc.property(anyInput, anyPlacement, (input, placement) => {
        const tiered = assembleTiered(input, placement);
        expect(contentOf(tiered)).toEqual(contentOf(assembleFlat(input)));
        const images = (messages: readonly PromptMessage[]) =>
          messages.flatMap(({ content }) =>
            typeof content === 'string' ? [] : content.filter((b) => b.type === 'image'),
          );
        expect(images(tiered)).toEqual(images(assembleFlat(input)));
      }),
    );
  });

  it('is deterministic, whatever the order of files and symbols', () => {
    fc.assert(
      fc.property(anyInput, anyPlacement, (input, placement) => {
        const turned = {
          ...input,
          files: new Map([...input.files].reverse()),
          ...(input.symbols === undefined ? {} : { symbols: new Map([...input.symbols].reverse()) }),
        };
        const bytes = JSON.stringify(assembleTiered(input, placement));
        expect(JSON.stringify(assembleTiered(input, placement))).toBe(bytes);
        expect(JSON.stringify(assembleTiered(turned, placement))).toBe(bytes);
      }),
    );
  });

  it('sets at most four markers, on text, and none below the minimum', () => {
    fc.assert(
      fc.property(anyInput, anyPlacement, fc.nat(60), (input, placement, minCacheableTokens) => {
        const countTokens = (text: string) => text.length;
        const messages = assembleTiered(input, placement, { minCacheableTokens, countTokens });
        let before = 0;
        let markers = 0;
        for (const { content } of messages) {
          for (const block of typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content) {
            if (block.type !== 'text') {
              expect(block).not.toHaveProperty('cacheMarker');
              continue;
            }
            before += block.text.length;
            if (!('cacheMarker' in block && block.cacheMarker)) continue;
            markers++;
            expect(before).toBeGreaterThanOrEqual(minCacheableTokens);
            expect(block.text.trim()).not.toBe('');
          }
        }
        expect(markers).toBeLessThanOrEqual(4);
      }),
    );
  });
});

describe('a prompt with the placement of a tracker', () => {
  it('starts with the bytes of the previous prompt as long as only the history grows', () => {
    const tracker = new StabilityTracker({ cacheTargetTokens: 1_126 });
    const plain = (messages: readonly PromptMessage[]) =>
      messages.map((message) => `${message.role} ${textOf(message)}`);
    const history = [...INPUT.history];
    let before: string[] = [];
    for (let request = 0; request < 15; request++) {
      const input = { ...INPUT, history: [...history], prompt: `question ${request}` };
      const texts = plain(assembleTiered(input, tracker.placement()));
      if (request > 0) expect(texts.slice(0, before.length)).toEqual(before);
      before = texts;
      history.push({ role: 'user', content: input.prompt }, { role: 'assistant', content: 'answer' });
      tracker.update([
        ...[...INPUT.files].map(([path, content]) => ({
          key: `file:${path}` as const,
          hash: content,
          tokens: 700,
        })),
        ...[...(INPUT.symbols ?? [])].map(([path, text]) => ({
          key: `symbol:${path}` as const,
          hash: text,
          tokens: 9,
        })),
        ...history.map(({ content }, index) => ({
          key: `history:${index}` as const,
          hash: content,
          tokens: 40,
        })),
      ]);
    }
  });
});

const LONG_TEXT = 'word '.repeat(2_000);
const text = (words: string, rest: Partial<PromptPiece> = {}): PromptPiece => ({
  role: 'user',
  block: { type: 'text', text: words },
  ...rest,
});
const IMAGE: PromptPiece = {
  role: 'user',
  block: { type: 'image', mediaType: 'image/png', base64: 'iVBORw0KGgo=' },
};

it('sets a marker at the end of each cached tier', () => {
  const pieces = [text(LONG_TEXT, { tier: 'L0' }), text('a', { tier: 'L1' }), text('b', { tier: 'L1' }), text('c')];
  expect([...placeMarkers(pieces)].sort()).toEqual([0, 2]);
});

it('sets requested markers first and skips tiers when none are left', () => {
  const pieces = [
    text(LONG_TEXT, { tier: 'L0' }),
    text('a', { tier: 'L1', key: 'file:a' }),
    text('Ok.', { tier: 'L1' }),
    text('b', { tier: 'L3', key: 'file:b' }),
    text('Ok.', { tier: 'L3' }),
    ...(['c', 'd', 'e'] as const).map((name) => text(name, { key: `file:${name}` })),
  ];
  const marks = new Set(['file:a', 'file:c', 'file:e'] as const);
  // The last file of L1 is already marked; L3 has priority over L0.
  expect([...placeMarkers(pieces, marks)].sort()).toEqual([1, 4, 5, 7]);
});

it('falls back to the last text when a piece is an image or blank', () => {
  const pieces = [text(LONG_TEXT, { tier: 'L3' }), text(' \n', { tier: 'L3' }), { ...IMAGE, tier: 'L3' as const }];
  expect([...placeMarkers(pieces)]).toEqual([0]);
  expect([...placeMarkers([IMAGE])]).toEqual([]);
});

it('sets no marker before the shortest prefix that is cached', () => {
  const pieces = [text('a'.repeat(4_000), { tier: 'L0' }), text('b'.repeat(4_000), { tier: 'L1' })];
  expect([...placeMarkers(pieces, new Set(), { minCacheableTokens: 1_024 })]).toEqual([1]);
  expect([...placeMarkers(pieces, new Set(), { minCacheableTokens: 4_096 })]).toEqual([]);
  expect([...placeMarkers(pieces, new Set(), { minCacheableTokens: 0 })].sort()).toEqual([0, 1]);
});

it('counts only as many texts as that takes', () => {
  const counted: string[] = [];
  const countTokens = (words: string) => {
    counted.push(words);
    return words.length;
  };
  placeMarkers([text('one'), text('two'), text('three'), text('four')], new Set(), {
    minCacheableTokens: 6,
    countTokens,
  });
  expect(counted).toEqual(['one', 'two']);
});
