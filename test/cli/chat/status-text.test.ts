import { describe, expect, it } from 'vitest';
import type { ChatStatus } from '../../../src/chat/index.ts';
import {
  formatStartMessage,
  formatStatus,
  formatStatusLine,
  type StartFacts,
} from '../../../src/cli/chat/status-text.ts';
import { displayWidth } from '../../../src/cli/output/width.ts';
import { printedOutput } from './typed-terminal.ts';

const EMPTY = { tokens: 0, cached: false, items: 0 };
const STATUS: ChatStatus = {
  responder: 'anthropic/claude-sonnet-4-5',
  sessionId: 'chat-1',
  messageCount: 12,
  historyTokens: 6000,
  maxInputTokens: 200_000,
  remainingTokens: 150_000,
  compaction: { enabled: true, triggerTokens: 24_000, percent: 25 },
  cacheHitRate: 0.874,
  tiers: {
    L0: { tokens: 1200, cached: true, items: 1 },
    L1: EMPTY,
    L2: EMPTY,
    L3: EMPTY,
    active: { tokens: 300, cached: false, items: 2 },
  },
  files: [{ path: 'src/a.ts', tokens: 1200 }],
};

describe('the status line', () => {
  it('shows the responder, tokens, share of the compaction threshold, cache and files', () => {
    expect(formatStatusLine(STATUS, printedOutput().output)).toBe(
      'anthropic/claude-sonnet-4-5 · 6,000 tokens · 25% of 24,000 · cache 87% · 1 file · /help',
    );
  });

  it('leaves out what is unknown or off', () => {
    const { cacheHitRate: _unknown, ...rest } = STATUS;
    const line = formatStatusLine(
      { ...rest, files: [], compaction: { ...STATUS.compaction, enabled: false } },
      printedOutput().output,
    );
    expect(line).not.toMatch(/cache|%|file/);
  });
});

describe('/status', () => {
  it('shows everything in aligned rows', () => {
    const lines = formatStatus(STATUS, '3 calls').split('\n');
    const rows = new Map(lines.map((line) => [line.split(/ {2,}/)[0], line.split(/ {2,}/)[1]]));
    expect(rows.get('Session')).toBe('chat-1');
    expect(rows.get('Messages')).toBe('12');
    expect(rows.get('History')).toContain('6,000 tokens');
    expect(rows.get('Cache')).toBe('87% of input cached');
    expect(rows.get('Cache tiers')).toBe('L0 1,200 tokens in 1 item, active 300 tokens in 2 items');
    expect(rows.get('Files')).toBe('src/a.ts (1,200)');
    expect(rows.get('Model usage')).toBe('3 calls');
  });

  it('says what is missing before the first message', () => {
    const { sessionId: _none, cacheHitRate: _unknown, tiers: _nothing, ...rest } = STATUS;
    const text = formatStatus({ ...rest, responder: 'memory', files: [] }, 'no calls');
    expect(text).toContain("the project's memory (no model is set)");
    expect(text).toContain('starts with your next message');
    expect(text).toContain('nothing sent yet');
    expect(text).toContain('none (/add PATH)');
  });
});

const FACTS: StartFacts = {
  version: '0.1.0',
  responder: 'anthropic/claude-sonnet-4-5',
  folder: '~/my-app',
  isBriefed: true,
  overview: {
    previousSessions: 3,
    successfulPatterns: 8,
    failuresToAvoid: 2,
    summary: 'React + TypeScript app. Uses Bun for package management.',
  },
};

function said(facts: Partial<StartFacts> = {}, columns = 100): readonly string[] {
  return formatStartMessage({ ...FACTS, ...facts }, printedOutput().output, columns).split('\n');
}

describe('the start message', () => {
  it('shows the responder, the folder and what is known about the project', () => {
    expect(said()).toEqual([
      'yore v0.1.0',
      'model: anthropic/claude-sonnet-4-5 | directory: ~/my-app',
      '📚 Project knowledge from 3 previous sessions',
      '✅ Found 8 successful patterns',
      '⚠️ Found 2 failed attempts to avoid',
      'Summary: React + TypeScript app. Uses Bun for package management.',
    ]);
  });

  it('leaves out what the model is not told', () => {
    expect(said({ isBriefed: false })).toHaveLength(2);
  });

  it('says that no model is set', () => {
    expect(said({ responder: 'memory' })[1]).toMatch(/^model: none \(replies come from the project's memory\)/);
  });

  it('leaves out empty facts', () => {
    const overview = { previousSessions: 1, successfulPatterns: 0, failuresToAvoid: 0, summary: '' };
    expect(said({ overview }).slice(2)).toEqual(['📚 Project knowledge from 1 previous session']);
  });

  it('says when nothing is recorded yet', () => {
    const overview = { previousSessions: 0, successfulPatterns: 0, failuresToAvoid: 0, summary: '' };
    expect(said({ overview }).at(-1)).toBe('Nothing is recorded here yet. Ask something, or type /help.');
  });

  it('shows which chat is continued', () => {
    const restored = { messages: 4, when: '2 hours ago', preview: 'Add a\u001b[2J cache' };
    const line = said({ restored }).at(-1) ?? '';
    expect(line).toMatch(/^Continuing with 4 messages from 2 hours ago: Add a.* cache \(\/new starts over\)$/);
    expect(line).not.toContain('\u001b');
  });

  it('fits a narrow terminal', () => {
    for (const line of said({}, 24)) expect(displayWidth(line)).toBeLessThanOrEqual(24);
  });
});
