import { expect, test } from 'vitest';
import { ContextManager } from '../../src/context/context-manager.ts';
import type { PromptMessage } from '../../src/context/message.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { alternatingTurns } from './turns/any-turns.ts';

function textOf({ content }: PromptMessage): string {
  if (typeof content === 'string') return content;
  return content.map((block) => (block.type === 'text' ? block.text : `<${block.mediaType}>`)).join('');
}

function markersIn(messages: readonly PromptMessage[]): number {
  const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  return blocks.filter((block) => block.type === 'text' && block.cacheMarker).length;
}

/** The tier of an item in the report; undefined if it is in none. */
function tierOf(context: ContextManager, key: string): string | undefined {
  const tiers = Object.entries(context.tierReport()?.tiers ?? {});
  return tiers.find(([, { items }]) => items.some((item) => item.key === key))?.[0];
}

const LONG_FILE = 'export const value = 1;\n'.repeat(400);

test('assembles a flat prompt without a root: system, files, history, prompt', () => {
  const context = new ContextManager({ model: 'claude-sonnet-4-5', systemPrompt: 'You help.' });
  context.files.addFile('a.ts', 'start();');
  context.addExchange('Why?', 'Because.');
  const messages = context.assemble({ prompt: 'And now?', fileTree: 'a.ts' });
  expect(messages.map(({ role }) => role)).toEqual([
    'system',
    ...['user', 'assistant', 'user', 'assistant', 'user', 'assistant', 'user'],
  ]);
  const texts = messages.map(textOf);
  expect(texts[0]).toBe('You help.');
  expect(texts[1]).toContain('Repository Files');
  expect(texts[3]).toContain('Working Files');
  expect(texts[3]).toContain('start();');
  expect(texts.slice(5)).toEqual(['Why?', 'Because.', 'And now?']);
  expect(markersIn(messages)).toBe(0);
  expect(context.updateTiers()).toBeUndefined();
  expect(context.tierReport()).toBeUndefined();
});

test('with a root, promotes stable items and sends them once, with cache markers', () => {
  const context = new ContextManager({
    model: 'claude-sonnet-4-5',
    systemPrompt: 'You help.',
    root: temporaryFolder(),
  });
  context.files.addFile('a.ts', LONG_FILE);
  expect(markersIn(context.assemble({ prompt: 'first' }))).toBeLessThanOrEqual(4);
  for (let request = 0; request < 6; request++) {
    context.assemble({ prompt: `question ${request}` });
    context.addExchange(`question ${request}`, 'answer');
    context.updateTiers();
  }
  expect(tierOf(context, 'file:a.ts')).toBe('L3');
  const later = context.assemble({ prompt: 'last' });
  expect(later.filter((message) => textOf(message).includes(LONG_FILE))).toHaveLength(1);
  expect(markersIn(later)).toBeGreaterThan(0);
  expect(markersIn(later)).toBeLessThanOrEqual(4);
  expect(textOf(later.at(-1) ?? { role: 'user', content: '' })).toBe('last');
});

test('makes a changed file active again, and forgets a removed file', () => {
  const context = new ContextManager({ model: 'gpt-4o', root: temporaryFolder(), cacheTargetTokens: 0 });
  for (const path of ['a.ts', 'b.ts']) context.files.addFile(path, LONG_FILE);
  for (let request = 0; request < 5; request++) context.updateTiers();
  expect([tierOf(context, 'file:a.ts'), tierOf(context, 'file:b.ts')]).toEqual(['L3', 'L3']);
  context.files.addFile('a.ts', `${LONG_FILE}// changed`);
  context.files.removeFile('b.ts');
  context.updateTiers();
  expect([tierOf(context, 'file:a.ts'), tierOf(context, 'file:b.ts')]).toEqual(['active', undefined]);
});

test('tracks symbols unless their file is sent in full', () => {
  const context = new ContextManager({ model: 'gpt-4o', root: temporaryFolder() });
  const symbols = new Map([
    ['a.ts', 'symbols of a'],
    ['b.ts', 'symbols of b'],
  ]);
  context.files.addFile('a.ts', LONG_FILE);
  context.assemble({ prompt: 'Why?', symbols });
  context.updateTiers();
  expect(tierOf(context, 'symbol:a.ts')).toBeUndefined();
  expect(tierOf(context, 'symbol:b.ts')).toBe('active');
});

test('gives symbols an initial tier by their references', () => {
  const context = new ContextManager({ model: 'gpt-4o', root: temporaryFolder() });
  const symbols = new Map(['a.ts', 'b.ts', 'c.ts'].map((path) => [path, `symbols of ${path}`]));
  context.placeInitially(symbols, {
    graph: new Map([
      ['a.ts', ['b.ts']],
      ['b.ts', ['a.ts']],
      ['c.ts', ['a.ts']],
    ]),
  });
  expect(tierOf(context, 'symbol:a.ts')).toMatch(/^L[123]$/);
  expect(tierOf(context, 'symbol:b.ts')).toBe(tierOf(context, 'symbol:a.ts'));
  new ContextManager({ model: 'gpt-4o' }).placeInitially(symbols);
});

test('uses tiers if only a cache target is given', () => {
  const context = new ContextManager({ model: 'gpt-4o', cacheTargetTokens: 0 });
  expect(context.tierReport()).toBeDefined();
});

test('assembles the same context to the same bytes', () => {
  const build = () => {
    const context = new ContextManager({
      model: 'gpt-4o',
      root: temporaryFolder(),
      systemPrompt: 'You help.',
    });
    for (const path of ['b.ts', 'a.ts']) context.files.addFile(path, LONG_FILE + path);
    for (let request = 0; request < 5; request++) {
      context.assemble({ prompt: 'x', symbols: new Map([['c.ts', 'symbols of c']]) });
      context.addExchange(`question ${request}`, 'answer');
      context.updateTiers();
    }
    return context.assemble({ prompt: 'last', symbols: new Map([['c.ts', 'symbols of c']]) });
  };
  expect(JSON.stringify(build())).toBe(JSON.stringify(build()));
});

test('sends images with the prompt and does not keep them', () => {
  const context = new ContextManager({ model: 'gpt-4o' });
  const image = { type: 'image', mediaType: 'image/png', base64: 'iVBORw0KGgo=' } as const;
  expect(context.assemble({ prompt: 'What is this?', images: [image] }).at(-1)).toEqual({
    role: 'user',
    content: [{ type: 'text', text: 'What is this?' }, image],
  });
  expect(context.assemble({ prompt: 'And this?' }).at(-1)).toEqual({ role: 'user', content: 'And this?' });
});

test('estimates a prompt close to its real size', () => {
  const context = new ContextManager({ model: 'gpt-4o', root: temporaryFolder(), systemPrompt: 'You help.' });
  context.setHistory(alternatingTurns(20, 30));
  for (let index = 0; index < 10; index++) context.files.addFile(`src/${index}.ts`, LONG_FILE.slice(index * 100));
  const request = { prompt: 'Why does it fail?', fileTree: 'src/\n'.repeat(50) };
  const estimate = context.estimatePromptTokens(request);
  const real = context.counter.countMessages(context.assemble(request));
  expect(estimate).toBeGreaterThan(0);
  expect(Math.abs(estimate - real) / real).toBeLessThan(0.02);
});

test('makes the tracker forget a cleared or re-registered history', () => {
  const historyItems = (context: ContextManager) =>
    Object.values(context.tierReport()?.tiers ?? {}).flatMap(({ items }) =>
      items.filter(({ key }) => key.startsWith('history:')),
    );
  for (const forget of ['clearHistory', 'reregisterHistory', 'reset'] as const) {
    const context = new ContextManager({ model: 'gpt-4o', root: temporaryFolder() });
    context.addExchange('Why?', 'Because.');
    context.updateTiers();
    expect(historyItems(context)).toHaveLength(2);
    context[forget]();
    expect(historyItems(context)).toEqual([]);
    expect(context.getHistory()).toHaveLength(forget === 'reregisterHistory' ? 2 : 0);
  }
});

test('computes the hit rate as the share of input read from the cache', () => {
  const context = new ContextManager({ model: 'gpt-4o', root: temporaryFolder() });
  expect(context.tierReport()?.hitRate).toBeUndefined();
  expect(context.recordUsage({ inputTokens: 100, cacheWriteTokens: 300, outputTokens: 5000 })).toBe(0);
  expect(context.recordUsage({ inputTokens: 100, cacheReadTokens: 500 })).toBe(0.5);
  expect(context.tierReport()?.hitRate).toBe(0.5);
});

test('ignores invalid usage', () => {
  const context = new ContextManager({ model: 'gpt-4o' });
  expect(context.recordUsage({})).toBeUndefined();
  expect(context.recordUsage({ inputTokens: Number.NaN, cacheReadTokens: -5 })).toBeUndefined();
  expect(
    context.recordUsage({ inputTokens: 50, cacheReadTokens: 50, cacheWriteTokens: Number.POSITIVE_INFINITY }),
  ).toBe(0.5);
});
