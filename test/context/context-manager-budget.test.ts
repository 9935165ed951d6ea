import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ContextManager } from '../../src/context/context-manager.ts';
import type { Turn } from '../../src/context/message.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { alternatingTurns } from './turns/any-turns.ts';

/** A model with an input of 8,192 tokens. */
const SMALL_MODEL = 'gpt-4';

function words(count: number): string {
  return ' word'.repeat(count);
}

/** Short exchanges followed by two long ones, which every compaction keeps. */
function endingLong(tokens: number): Turn[] {
  const long = alternatingTurns(4).map((turn) => ({ ...turn, content: words(tokens / 2) }));
  return [...alternatingTurns(20, 20), ...long];
}

test('sheds no file within the budget', () => {
  const context = new ContextManager({ model: SMALL_MODEL });
  context.files.addFile('a.ts', words(1000));
  context.files.addFile('b.ts', words(2000));
  expect(context.shedFilesIfNeeded('Why?')).toEqual([]);
  expect(context.files.getFiles()).toEqual(['a.ts', 'b.ts']);
});

test('sheds and reports the largest files over the budget', () => {
  const context = new ContextManager({ model: SMALL_MODEL });
  for (const [path, count] of [
    ['small.ts', 1000],
    ['largest.ts', 6000],
    ['large.ts', 5000],
    ['medium.ts', 2000],
  ] as const) {
    context.files.addFile(path, words(count));
  }
  const shed = context.shedFilesIfNeeded('Why?');
  expect(shed.map(({ path }) => path)).toEqual(['largest.ts', 'large.ts']);
  expect(shed[0]?.tokens).toBeGreaterThanOrEqual(6000);
  expect(context.files.getFiles()).toEqual(['medium.ts', 'small.ts']);
  expect(context.shedFilesIfNeeded('Why?')).toEqual([]);
});

test('counts history, system prompt, prompt and all other parts of the request', () => {
  const parts: ReadonlyArray<(context: ContextManager) => readonly unknown[]> = [
    (context) => {
      context.systemPrompt = words(4000);
      return context.shedFilesIfNeeded();
    },
    (context) => {
      context.setHistory(alternatingTurns(4, 1000));
      return context.shedFilesIfNeeded();
    },
    (context) => context.shedFilesIfNeeded(words(4000)),
    (context) => context.shedFilesIfNeeded({ prompt: '', fileTree: words(4000) }),
    (context) => context.shedFilesIfNeeded({ prompt: '', repositoryStructure: words(4000) }),
    (context) => context.shedFilesIfNeeded({ prompt: '', urlContext: [words(2000), words(2000)] }),
    (context) => context.shedFilesIfNeeded({ prompt: '', reviewContext: words(4000) }),
    (context) => context.shedFilesIfNeeded({ prompt: '', symbols: new Map([['b.ts', words(4000)]]) }),
    (context) => {
      context.assemble({ prompt: 'before', fileTree: words(4000) });
      return context.shedFilesIfNeeded('Why?');
    },
  ];
  for (const part of parts) {
    const context = new ContextManager({ model: SMALL_MODEL });
    context.files.addFile('a.ts', words(4000));
    expect(context.shedFilesIfNeeded(), String(part)).toEqual([]);
    expect(part(context), String(part)).toMatchObject([{ path: 'a.ts' }]);
  }
});

test('does not count the symbols of a file that is sent in full', () => {
  const context = new ContextManager({ model: SMALL_MODEL });
  context.files.addFile('a.ts', words(4000));
  expect(context.shedFilesIfNeeded({ prompt: '', symbols: new Map([['a.ts', words(4000)]]) })).toEqual([]);
});

test('makes the prompt fit the model by shedding', () => {
  const context = new ContextManager({ model: SMALL_MODEL, systemPrompt: words(500) });
  context.setHistory(alternatingTurns(10, 100));
  for (let index = 0; index < 40; index++) context.files.addFile(`src/${index}.ts`, words(100 + index * 10));
  const request = { prompt: words(300), fileTree: words(500) };
  expect(context.shedFilesIfNeeded(request).length).toBeGreaterThan(0);
  const { maxInputTokens } = context.counter.model;
  expect(context.counter.countMessages(context.assemble(request))).toBeLessThanOrEqual(0.9 * maxInputTokens);
});

test('sends a shed file again once it is added again and fits', () => {
  const root = temporaryFolder();
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'src/a.ts'), words(4000));
  const context = new ContextManager({ model: SMALL_MODEL, root, compaction: { enabled: false } });
  context.files.addFile('src/a.ts');
  expect(context.shedFilesIfNeeded(words(4000))).toHaveLength(1);
  context.files.addFile('src/a.ts');
  expect(context.shedFilesIfNeeded('Why?')).toEqual([]);
  rmSync(join(root, 'src/a.ts'));
  expect(context.files.addFile('src/a.ts')).toBe(false);
  expect(JSON.stringify(context.assemble({ prompt: 'Why?' }))).not.toContain('src/a.ts');
});

test('truncates a history that compaction left above twice the trigger to the trigger', async () => {
  const context = new ContextManager({ model: 'gpt-4o', compaction: { triggerTokens: 1000 } });
  context.setHistory([...endingLong(1500), ...alternatingTurns(2, 100)]);
  expect(await context.compactIfNeeded()).toMatchObject({ underTrigger: false });
  context.addExchange(words(300), words(300));
  expect(context.historyTokenCount()).toBeGreaterThan(2000);
  const before = context.getHistory();
  const dropped = context.emergencyTruncateIfNeeded();
  expect(dropped).toBeGreaterThan(0);
  expect(dropped % 2).toBe(0);
  expect(context.getHistory()).toEqual(before.slice(dropped));
  expect(context.getHistory().length).toBeGreaterThanOrEqual(4);
  expect(context.historyTokenCount()).toBeLessThanOrEqual(1000);
  expect(context.emergencyTruncateIfNeeded()).toBe(0);
});

test('keeps the newest exchange, however long, as long as the model accepts it', async () => {
  const context = new ContextManager({ model: 'gpt-4o', compaction: { triggerTokens: 1000 } });
  context.setHistory(endingLong(1500));
  await context.compactIfNeeded();
  context.emergencyTruncateIfNeeded();
  expect(context.getHistory()).toEqual(endingLong(1500).slice(-2));
});

test('drops the newest exchange, too, if the model does not accept it', async () => {
  const context = new ContextManager({ model: SMALL_MODEL, compaction: { triggerTokens: 1000 } });
  context.setHistory(endingLong(10_000));
  await context.compactIfNeeded();
  expect(context.emergencyTruncateIfNeeded()).toBeGreaterThan(0);
  expect(context.getHistory()).toEqual([]);
});

test('does not truncate up to twice the trigger after an insufficient compaction', async () => {
  const context = new ContextManager({ model: 'gpt-4o', compaction: { triggerTokens: 1000 } });
  context.setHistory(endingLong(700));
  expect(await context.compactIfNeeded()).toMatchObject({ underTrigger: false });
  expect(context.historyTokenCount()).toBeLessThan(2000);
  expect(context.emergencyTruncateIfNeeded()).toBe(0);
});

test('does not truncate a long history before compaction has had its chance', async () => {
  const context = new ContextManager({
    model: 'gpt-4o',
    compaction: { triggerTokens: 1000, verbatimWindowTokens: 200 },
  });
  context.setHistory(alternatingTurns(60, 50));
  expect(context.emergencyTruncateIfNeeded()).toBe(0);
  await context.compactIfNeeded();
  expect(context.historyTokenCount()).toBeLessThanOrEqual(1000);
});

test('forgets a failed compaction when the history is replaced', async () => {
  const context = new ContextManager({ model: 'gpt-4o', compaction: { triggerTokens: 1000 } });
  context.setHistory(endingLong(1500));
  await context.compactIfNeeded();
  context.setHistory(endingLong(1500));
  expect(context.emergencyTruncateIfNeeded()).toBe(0);
});

test('with compaction disabled, truncates only what the model does not accept', () => {
  for (const compaction of [false, { enabled: false }] as const) {
    const context = new ContextManager({ model: SMALL_MODEL, compaction });
    context.setHistory(alternatingTurns(30, 200));
    expect(context.emergencyTruncateIfNeeded()).toBe(0);
    context.setHistory(alternatingTurns(60, 200));
    expect(context.emergencyTruncateIfNeeded()).toBeGreaterThan(0);
    const { maxInputTokens } = context.counter.model;
    expect(context.historyTokenCount()).toBeLessThanOrEqual(0.9 * maxInputTokens);
    expect(context.historyTokenCount()).toBeGreaterThan(0.7 * maxInputTokens);
    expect(context.getHistory()[0]?.role).toBe('user');
  }
});
