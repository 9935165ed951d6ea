import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ContextManager } from '../../src/context/context-manager.ts';
import type { Turn } from '../../src/context/message.ts';
import { YoreError } from '../../src/record/index.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { alternatingTurns } from './turns/any-turns.ts';

function manager(): ContextManager {
  return new ContextManager({ model: 'gpt-4o', systemPrompt: 'You help.' });
}

test('appends messages and exchanges to the history', () => {
  const context = manager();
  context.addMessage('user', 'Why?');
  context.addMessage('assistant', 'Because.');
  context.addExchange('And now?', 'Done.');
  expect(context.getHistory()).toEqual([
    { role: 'user', content: 'Why?' },
    { role: 'assistant', content: 'Because.' },
    { role: 'user', content: 'And now?' },
    { role: 'assistant', content: 'Done.' },
  ]);
});

test('returns a copy of the history', () => {
  const context = manager();
  context.addMessage('user', 'Why?');
  const copy = context.getHistory();
  copy.push({ role: 'user', content: 'intruder' });
  Object.assign(copy[0] ?? {}, { content: 'changed' });
  expect(context.getHistory()).toEqual([{ role: 'user', content: 'Why?' }]);
});

test('replaces the history', () => {
  const context = manager();
  context.addExchange('old', 'old');
  const loaded = alternatingTurns(4);
  context.setHistory(loaded);
  loaded.pop();
  expect(context.getHistory()).toEqual(alternatingTurns(4));
});

test('rejects a history with an invalid message as a whole', () => {
  const context = manager();
  context.addExchange('kept', 'kept');
  const bad = [
    { role: 'user', content: 'x' },
    { role: 'tool', content: 'y' },
  ] as unknown as Turn[];
  expect(() => context.setHistory(bad)).toThrow(YoreError);
  expect(context.getHistory()).toHaveLength(2);
});

test('clears the history but keeps prompt and files', () => {
  const context = manager();
  context.addExchange('Why?', 'Because.');
  context.files.addFile('a.ts', 'a');
  context.clearHistory();
  expect(context.getHistory()).toEqual([]);
  expect(context.historyTokenCount()).toBe(0);
  expect(context.systemPrompt).toBe('You help.');
  expect(context.files.getFiles()).toEqual(['a.ts']);
});

test('resets history and usage but keeps the system prompt', () => {
  const context = manager();
  context.addExchange('Why?', 'Because.');
  context.recordUsage({ inputTokens: 10, cacheReadTokens: 90 });
  context.reset();
  expect(context.toMessages()).toEqual([{ role: 'system', content: 'You help.' }]);
  expect(context.recordUsage({ inputTokens: 10, cacheReadTokens: 0 })).toBe(0);
});

test('counts the tokens of the history', () => {
  const context = manager();
  expect(context.historyTokenCount()).toBe(0);
  context.addMessage('user', 'Why?');
  expect(context.historyTokenCount()).toBeGreaterThan(0);
});

test('lists the system prompt and then the turns', () => {
  const context = manager();
  context.addExchange('Why?', 'Because.');
  context.systemPrompt = 'You help shortly.';
  expect(context.toMessages()).toEqual([
    { role: 'system', content: 'You help shortly.' },
    { role: 'user', content: 'Why?' },
    { role: 'assistant', content: 'Because.' },
  ]);
  expect(context.getHistory()).toHaveLength(2);
});

test('lists no empty message without a system prompt', () => {
  const context = new ContextManager({ model: 'gpt-4o' });
  expect(context.toMessages()).toEqual([]);
});

test('reports history, limits, remaining tokens and whether a compaction is due', () => {
  const context = manager();
  context.addExchange('Why?', 'Because.');
  const { maxHistoryTokens, maxInputTokens } = context.counter.model;
  const historyTokens = context.historyTokenCount();
  expect(context.getTokenBudget()).toEqual({
    historyTokens,
    maxHistoryTokens,
    maxInputTokens,
    remaining: maxHistoryTokens - historyTokens,
    needsSummary: false,
  });
  expect(context.getTokenBudget().remaining).toBeGreaterThan(0);
});

test('never reports a negative rest, and asks for a summary above the trigger', () => {
  const context = manager();
  context.addMessage('user', 'many words '.repeat(30_000));
  expect(context.getTokenBudget()).toMatchObject({ remaining: 0, needsSummary: true });
});

test('slides the window on request, by whole exchanges', () => {
  const context = new ContextManager({ model: 'gpt-4o', maxTurns: 4 });
  context.setHistory(alternatingTurns(15));
  expect(context.slideWindow()).toBe(12);
  expect(context.getHistory()).toEqual(alternatingTurns(15).slice(12));
  expect(context.slideWindow()).toBe(0);
  expect(context.slideWindow(1)).toBe(2);
});

test('defaults to 40 turns and a budget of 4,096', () => {
  const context = manager();
  expect([context.maxTurns, context.tokenBudget]).toEqual([40, 4096]);
  expect(new ContextManager({ model: 'gpt-4o', tokenBudget: 100 }).tokenBudget).toBe(100);
  context.setHistory(alternatingTurns(41));
  expect(context.slideWindow()).toBe(2);
});

test('estimates tokens without a tokenizer', () => {
  const context = manager();
  context.addExchange('12345', '678');
  expect(context.estimateTokens()).toBe(Math.floor(('You help.'.length + 8) / 4));
});

test('gives an unknown model conservative limits', () => {
  const context = new ContextManager({ model: 'no-such-model-9000' });
  context.addExchange('Why?', 'Because.');
  expect(context.counter.model.known).toBe(false);
  expect(context.getTokenBudget().remaining).toBeGreaterThan(0);
  expect(context.historyTokenCount()).toBeGreaterThan(0);
  expect(context.assemble({ prompt: 'Hi' }).at(-1)).toEqual({ role: 'user', content: 'Hi' });
});

test('reads files from the given root', () => {
  const root = temporaryFolder();
  writeFileSync(join(root, 'a.ts'), 'a');
  const context = new ContextManager({ model: 'gpt-4o', root });
  expect(context.files.addFile('a.ts')).toBe(true);
  expect(context.files.addFile('../a.ts')).toBe(false);
  expect(context.files.countTokens()).toBe(1);
});

test.each([-1, Number.NaN])('rejects a cache target of %d', (cacheTargetTokens) => {
  expect(() => new ContextManager({ model: 'gpt-4o', cacheTargetTokens })).toThrow(YoreError);
});
