import { describe, expect, it } from 'vitest';
import { type StartFacts, startMessage } from '../../../src/cli/chat/view/start-message.ts';
import { displayWidth } from '../../../src/cli/output/width.ts';
import { printedOutput } from './typed-terminal.ts';

const FACTS: StartFacts = {
  version: '0.1.0',
  responder: 'anthropic/claude-sonnet-4-5',
  folder: '~/my-app',
  overview: {
    previousSessions: 3,
    successfulPatterns: 8,
    failuresToAvoid: 2,
    summary: 'React + TypeScript app. Uses Bun for package management.',
  },
};

function said(facts: Partial<StartFacts> = {}, columns = 100): readonly string[] {
  return startMessage({ ...FACTS, ...facts }, printedOutput().output, columns).split('\n');
}

describe('the message at the start of a chat', () => {
  it('tells who answers, where, and what is known of the project', () => {
    expect(said()).toEqual([
      'yore v0.1.0',
      'model: anthropic/claude-sonnet-4-5 | directory: ~/my-app',
      '📚 Project knowledge from 3 previous sessions',
      '✅ Found 8 successful patterns',
      '⚠️ Found 2 failed attempts to avoid',
      'Summary: React + TypeScript app. Uses Bun for package management.',
    ]);
  });

  it('says that no model is set', () => {
    expect(said({ responder: 'memory' })[1]).toMatch(/^model: none, the memory of this project answers/);
  });

  it('says nothing of what there is nothing of', () => {
    const overview = { previousSessions: 1, successfulPatterns: 0, failuresToAvoid: 0, summary: '' };
    expect(said({ overview }).slice(2)).toEqual(['📚 Project knowledge from 1 previous session']);
  });

  it('says so when nothing is recorded yet', () => {
    const overview = { previousSessions: 0, successfulPatterns: 0, failuresToAvoid: 0, summary: '' };
    expect(said({ overview }).at(-1)).toBe('Nothing is recorded here yet. Ask something, or /help.');
  });

  it('tells which chat it goes on with', () => {
    const restored = { messages: 4, when: '2 hours ago', preview: 'Add a\u001b[2J cache' };
    const line = said({ restored }).at(-1) ?? '';
    expect(line).toMatch(
      /^Going on with 4 messages from 2 hours ago: Add a.* cache \(\/new starts afresh\)$/,
    );
    expect(line).not.toContain('\u001b');
  });

  it('fits a narrow terminal', () => {
    for (const line of said({}, 24)) expect(displayWidth(line)).toBeLessThanOrEqual(24);
  });
});
