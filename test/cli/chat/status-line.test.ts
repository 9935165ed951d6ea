import { describe, expect, it } from 'vitest';
import type { ChatStatus } from '../../../src/chat/index.ts';
import { statusLine, statusLines } from '../../../src/cli/chat/view/status-line.ts';
import { createSymbols } from '../../../src/cli/output/symbols.ts';

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
  it('tells who answers, tokens, percent of the trigger, the cache and files', () => {
    expect(statusLine(STATUS, createSymbols(false))).toBe(
      ['anthropic/claude-sonnet-4-5', '6,000 tokens', '25% of 24,000', 'cache 87%', '1 file', '/help'].join(
        ` ${createSymbols(false).separator} `,
      ),
    );
  });

  it('leaves out what is not known or off', () => {
    const { cacheHitRate: _unknown, ...rest } = STATUS;
    const line = statusLine(
      { ...rest, files: [], compaction: { ...STATUS.compaction, enabled: false } },
      createSymbols(false),
    );
    expect(line).not.toMatch(/cache|%|file/);
  });
});

describe('/status', () => {
  it('has everything, in aligned rows', () => {
    const lines = statusLines(STATUS, '3 calls');
    const rows = new Map(lines.map((line) => [line.split(/ {2,}/)[0], line.split(/ {2,}/)[1]]));
    expect(rows.get('Session')).toBe('chat-1');
    expect(rows.get('Messages')).toBe('12');
    expect(rows.get('History')).toContain('6,000 tokens');
    expect(rows.get('Cache')).toBe('87% read from it');
    expect(rows.get('Tiers')).toBe('L0 1,200 tokens in 1 item, active 300 tokens in 2 items');
    expect(rows.get('Files')).toBe('src/a.ts (1,200)');
    expect(rows.get('Models')).toBe('3 calls');
  });

  it('says what is to come before the first message', () => {
    const { sessionId: _none, cacheHitRate: _unknown, tiers: _nothing, ...rest } = STATUS;
    const text = statusLines({ ...rest, responder: 'memory', files: [] }, 'not asked').join('\n');
    expect(text).toContain('the memory of this project (no model is set)');
    expect(text).toContain('begins with the next message');
    expect(text).toContain('nothing sent yet');
    expect(text).toContain('none, /add PATH');
  });
});
