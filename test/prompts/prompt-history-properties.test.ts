import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_PROMPTS_PER_PROJECT, PromptHistory } from '../../src/prompts/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

const START = Date.UTC(2025, 10, 1);
const PROJECTS = ['', 'aaaa1111', 'bbbb2222'];

/** One use: the prompt, project and instance by number, and the time since the previous use. */
const use = fc.record({
  text: fc.integer({ min: 0, max: 12 }).map((number) => `prompt ${number}`),
  project: fc.constantFrom(...PROJECTS),
  process: fc.integer({ min: 0, max: 3 }),
  pause: fc.constantFrom(0, 1, 60_000, 86_400_000),
});

/** Everything that can be read from a prompt history. */
function seen(history: PromptHistory) {
  return {
    all: history.list(),
    searched: PROJECTS.map((project) => history.search('', 0, project)),
    suggested: PROJECTS.map((project) => history.suggest('p', 0, project)),
    warnings: history.diagnostics,
  };
}

describe('prompt history, for any sequence of uses', () => {
  it('does not depend on how the uses are split over instances', () => {
    fc.assert(
      fc.property(fc.array(use, { maxLength: 40 }), (uses) => {
        const clock = { now: START };
        const folder = temporaryFolder();
        const alone = new PromptHistory(join(folder, 'alone.json'), () => clock.now);
        const shared = Array.from({ length: 4 }, () => new PromptHistory(join(folder, 'shared.json'), () => clock.now));
        for (const { text, project, process, pause } of uses) {
          clock.now += pause;
          alone.upsert(text, project);
          shared[process]?.upsert(text, project);
        }
        const expected = seen(alone);
        for (const one of shared) expect(seen(one)).toEqual(expected);
        for (const name of ['alone.json', 'shared.json']) {
          expect(seen(new PromptHistory(join(folder, name), () => clock.now))).toEqual(expected);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('counts every use and keeps the latest date', () => {
    fc.assert(
      fc.property(fc.array(use, { maxLength: 60 }), (uses) => {
        const clock = { now: START };
        const history = new PromptHistory(join(temporaryFolder(), 'prompts.json'), () => clock.now);
        const counted = new Map<string, { useCount: number; lastUsed: string }>();
        for (const { text, project, pause } of uses) {
          clock.now += pause;
          history.upsert(text, project);
          counted.set(text, {
            useCount: (counted.get(text)?.useCount ?? 0) + 1,
            lastUsed: new Date(clock.now).toISOString(),
          });
        }
        const entries = history.list().map(({ text, useCount, lastUsed }) => [text, { useCount, lastUsed }]);
        expect(new Map(entries as [string, { useCount: number; lastUsed: string }][])).toEqual(counted);
      }),
      { numRuns: 40 },
    );
  });

  it('never exceeds the cap and always contains the prompt just added', () => {
    const imported = fc.record({
      text: fc.integer({ min: 0, max: 2_000 }).map((number) => `prompt ${number}`),
      daysAgo: fc.integer({ min: 0, max: 1_000 }),
    });
    fc.assert(
      fc.property(fc.array(imported, { minLength: 1, maxLength: 30 }), fc.nat(), (uses, seed) => {
        const history = new PromptHistory(join(temporaryFolder(), 'prompts.json'), () => START);
        history.upsertAll(
          Array.from({ length: MAX_PROMPTS_PER_PROJECT }, (_, number) => ({
            text: `prompt ${(number * 7 + seed) % 1_999}`,
            project: 'aaaa1111',
            usedAt: START - number,
          })),
        );
        for (const { text, daysAgo } of uses) {
          history.upsertAll([{ text, project: 'aaaa1111', usedAt: START - daysAgo * 86_400_000 }]);
          const kept = history.list('aaaa1111').map((entry) => entry.text);
          expect(kept).toContain(text);
          expect(kept.length).toBeLessThanOrEqual(MAX_PROMPTS_PER_PROJECT);
        }
      }),
      { numRuns: 10 },
    );
  });
});
