import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSetting } from '../../src/config/index.ts';
import {
  computeRecency,
  computeScore,
  findLowestScored,
  MAX_PROMPTS_PER_PROJECT,
  rankByRecency,
  rankByScore,
  type UsageStats,
} from '../../src/prompts/prompt-list.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2025, 5, 21);

const use = fc.record({
  lastUsed: fc.integer({ min: NOW - 400 * 24 * HOUR, max: NOW }),
  useCount: fc.integer({ min: 1, max: 1_000 }),
});

describe('score', () => {
  it('is 11 for a prompt used once just now', () => {
    expect(computeScore({ lastUsed: NOW, useCount: 1 }, NOW)).toBe(11);
  });

  it('halves after a day and is a third after two', () => {
    expect(computeRecency(NOW - 24 * HOUR, NOW)).toBe(0.5);
    expect(computeRecency(NOW - 48 * HOUR, NOW)).toBeCloseTo(1 / 3);
    expect(computeScore({ lastUsed: NOW - 24 * HOUR, useCount: 4 }, NOW)).toBe(20.5);
  });

  it('treats a time in the future as now', () => {
    expect(computeScore({ lastUsed: NOW + 24 * HOUR, useCount: 2 }, NOW)).toBe(21);
    expect(computeScore({ lastUsed: NOW + 900 * HOUR, useCount: 2 }, NOW)).toBe(21);
  });

  it('grows with use and shrinks with age', () => {
    fc.assert(
      fc.property(use, fc.integer({ min: 1, max: 1e9 }), (prompt, later) => {
        expect(computeScore({ ...prompt, useCount: prompt.useCount + 1 }, NOW)).toBeGreaterThan(
          computeScore(prompt, NOW),
        );
        expect(computeScore(prompt, NOW + later)).toBeLessThan(computeScore(prompt, NOW));
      }),
    );
  });
});

describe('ranking', () => {
  it('puts the highest score, or the most recent use, first and drops nothing', () => {
    fc.assert(
      fc.property(fc.array(use), (prompts) => {
        const byScore = rankByScore(prompts, NOW).map((prompt) => computeScore(prompt, NOW));
        expect(byScore).toEqual([...byScore].sort((a, b) => b - a));
        const byRecency = rankByRecency(prompts);
        expect(byRecency.map((prompt) => prompt.lastUsed)).toEqual(
          prompts.map((prompt) => prompt.lastUsed).sort((a, b) => b - a),
        );
        expect(new Set(byRecency)).toEqual(new Set(prompts));
        expect(byScore).toHaveLength(prompts.length);
      }),
    );
  });

  it('puts the later of two prompts of the same millisecond first', () => {
    const [first, second] = [
      { lastUsed: NOW, useCount: 1, text: 'first' },
      { lastUsed: NOW, useCount: 1, text: 'second' },
    ];
    expect(rankByRecency([first, second])).toEqual([second, first]);
    expect(rankByScore([first, second], NOW)).toEqual([second, first]);
  });
});

describe('eviction', () => {
  it('evicts the lowest score, but never the spared prompt', () => {
    fc.assert(
      fc.property(fc.array(use, { minLength: 1 }), fc.nat(), (uses, pick) => {
        const prompts = new Map<string, UsageStats>(uses.map((prompt, index) => [`prompt ${index}`, prompt]));
        const spared = `prompt ${pick % uses.length}`;
        const lowest = findLowestScored(prompts, NOW, spared);
        expect(lowest).not.toBe(spared);
        const others = [...prompts].filter(([text]) => text !== spared);
        const scores = others.map(([, prompt]) => computeScore(prompt, NOW));
        const found = others.find(([text]) => text === lowest);
        expect(found && computeScore(found[1], NOW)).toBe(scores.length > 0 ? Math.min(...scores) : undefined);
      }),
    );
  });

  it('scores at the time of eviction: a few uses today outlive many long ago', () => {
    const prompts = new Map<string, UsageStats>([
      ['many, a year ago', { lastUsed: NOW - 365 * 24 * HOUR, useCount: 50 }],
      ['one, an hour ago', { lastUsed: NOW - HOUR, useCount: 1 }],
      ['new', { lastUsed: NOW, useCount: 1 }],
    ]);
    expect(findLowestScored(prompts, NOW, 'new')).toBe('many, a year ago');
    const aYearAgo = NOW - 365 * 24 * HOUR;
    expect(findLowestScored(prompts, aYearAgo, 'new')).toBe('one, an hour ago');
  });
});

it('offers no more prompts than are stored, as the setting says', () => {
  const setting = findSetting('prompts.size');
  expect(setting).toMatchObject({ max: MAX_PROMPTS_PER_PROJECT });
  expect(setting?.description).toContain(String(MAX_PROMPTS_PER_PROJECT));
});
