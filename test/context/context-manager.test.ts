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

test('messages and exchanges are appended to the history', () => {
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

test('the history that is handed out is a copy', () => {
  const context = manager();
  context.addMessage('user', 'Why?');
  const copy = context.getHistory();
  copy.push({ role: 'user', content: 'intruder' });
  Object.assign(copy[0] ?? {}, { content: 'changed' });
  expect(context.getHistory()).toEqual([{ role: 'user', content: 'Why?' }]);
});

test('a history can be put in place of another', () => {
  const context = manager();
  context.addExchange('old', 'old');
  const loaded = alternatingTurns(4);
  context.setHistory(loaded);
  loaded.pop();
  expect(context.getHistory()).toEqual(alternatingTurns(4));
});

test('a history with a bad message is refused as a whole', () => {
  const context = manager();
  context.addExchange('kept', 'kept');
  const bad = [
    { role: 'user', content: 'x' },
    { role: 'tool', content: 'y' },
  ] as unknown as Turn[];
  expect(() => context.setHistory(bad)).toThrow(YoreError);
  expect(context.getHistory()).toHaveLength(2);
});

test('clearing empties the history and leaves prompt and files', () => {
  const context = manager();
  context.addExchange('Why?', 'Because.');
  context.files.addFile('a.ts', 'a');
  context.clearHistory();
  expect(context.getHistory()).toEqual([]);
  expect(context.historyTokenCount()).toBe(0);
  expect(context.systemPrompt).toBe('You help.');
  expect(context.files.getFiles()).toEqual(['a.ts']);
});

test('a reset drops history and reported usage, and keeps the system prompt', () => {
  const context = manager();
  context.addExchange('Why?', 'Because.');
  context.recordUsage({ inputTokens: 10, cacheReadTokens: 90 });
  context.reset();
  expect(context.toMessages()).toEqual([{ role: 'system', content: 'You help.' }]);
  expect(context.recordUsage({ inputTokens: 10, cacheReadTokens: 0 })).toBe(0);
});

test('a history that is not empty has tokens', () => {
  const context = manager();
  expect(context.historyTokenCount()).toBe(0);
  context.addMessage('user', 'Why?');
  expect(context.historyTokenCount()).toBeGreaterThan(0);
});

test('the messages are the system prompt and then the turns', () => {
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

test('without a system prompt there is no empty message', () => {
  const context = new ContextManager({ model: 'gpt-4o' });
  expect(context.toMessages()).toEqual([]);
});

test('the token budget tells history, limits, what remains, and whether it is time', () => {
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

test('what remains is never below zero, and a history above the trigger needs a summary', () => {
  const context = manager();
  context.addMessage('user', 'many words '.repeat(30_000));
  expect(context.getTokenBudget()).toMatchObject({ remaining: 0, needsSummary: true });
});

test('the window slides when it is asked to, by whole exchanges', () => {
  const context = new ContextManager({ model: 'gpt-4o', maxTurns: 4 });
  context.setHistory(alternatingTurns(15));
  expect(context.slideWindow()).toBe(12);
  expect(context.getHistory()).toEqual(alternatingTurns(15).slice(12));
  expect(context.slideWindow()).toBe(0);
  expect(context.slideWindow(1)).toBe(2);
});

test('40 turns and a budget of 4,096 to show are the defaults', () => {
  const context = manager();
  expect([context.maxTurns, context.tokenBudget]).toEqual([40, 4096]);
  expect(new ContextManager({ model: 'gpt-4o', tokenBudget: 100 }).tokenBudget).toBe(100);
  context.setHistory(alternatingTurns(41));
  expect(context.slideWindow()).toBe(2);
});

test('tokens can be guessed without a tokenizer', () => {
  const context = manager();
  context.addExchange('12345', '678');
  expect(context.estimateTokens()).toBe(Math.floor(('You help.'.length + 8) / 4));
});

test('a model that nobody knows gets limits that are safe to use', () => {
  const context = new ContextManager({ model: 'no-such-model-9000' });
  context.addExchange('Why?', 'Because.');
  expect(context.counter.model.known).toBe(false);
  expect(context.getTokenBudget().remaining).toBeGreaterThan(0);
  expect(context.historyTokenCount()).toBeGreaterThan(0);
  expect(context.assemble({ prompt: 'Hi' }).at(-1)).toEqual({ role: 'user', content: 'Hi' });
});

test('files are read from the root that was given', () => {
  const root = temporaryFolder();
  writeFileSync(join(root, 'a.ts'), 'a');
  const context = new ContextManager({ model: 'gpt-4o', root });
  expect(context.files.addFile('a.ts')).toBe(true);
  expect(context.files.addFile('../a.ts')).toBe(false);
  expect(context.files.countTokens()).toBe(1);
});

test.each([-1, Number.NaN])('a cache target of %d is refused', (cacheTargetTokens) => {
  expect(() => new ContextManager({ model: 'gpt-4o', cacheTargetTokens })).toThrow(YoreError);
});
