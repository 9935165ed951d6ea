import { describe, expect, it } from 'vitest';
import * as product from '../../src/context/index.ts';
import type { PromptMessage } from '../../src/context/message.ts';

interface Provider {
  readonly bill: { readonly read: number };
  send(messages: readonly PromptMessage[]): number;
}
type Costs = Record<'none' | 'last' | 'tiered' | 'bound', number>;
interface Workload {
  readonly perCall: boolean;
  readonly files: 'none' | 'fixed' | 'used';
  readonly compaction: boolean;
}
interface Bench {
  createProvider(): Provider;
  generateSessions(): { sessions: unknown[]; sizeOf: (path: string) => number };
  toRequests(steps: unknown, sizeOf: (path: string) => number, workload: Workload): unknown[];
  computeCosts(requests: unknown[], product: unknown): Costs;
}

const load = (name: string) => import(new URL(`../../bench/cache/${name}.mjs`, import.meta.url).href);
const modules = await Promise.all(['provider', 'sessions', 'workloads', 'costs'].map(load));
const { createProvider, generateSessions, toRequests, computeCosts }: Bench = Object.assign({}, ...modules);

const text = (name: string, tokens: number) => name.padEnd(tokens * 4, '.');
const user = (words: string, isMarked = false) => ({
  role: 'user' as const,
  content: isMarked ? [{ type: 'text' as const, text: words, cacheMarker: true as const }] : words,
});

describe('the simulated provider of the cache benchmark', () => {
  it('writes up to the last marker, reads what was written, and charges the full price for the rest', () => {
    const provider = createProvider();
    const start = user(text('a', 2_000), true);
    expect(provider.send([start, user(text('b', 100))])).toBe(2_000 * 1.25 + 100);
    expect(provider.send([start, user(text('c', 100), true)])).toBe(2_000 * 0.1 + 100 * 1.25);
    expect(provider.send([user(text('other', 2_000)), start])).toBe(4_000 * 1.25);
  });

  it('caches nothing below its minimum size', () => {
    const provider = createProvider();
    const short = user(text('a', 1_000), true);
    expect([provider.send([short]), provider.send([short])]).toEqual([1_000, 1_000]);
  });

  it('looks back from a marker by at most 20 blocks', () => {
    for (const [blocks, read] of [
      [10, 2_000],
      [30, 0],
    ] as const) {
      const provider = createProvider();
      provider.send([user(text('a', 2_000), true)]);
      const more = Array.from({ length: blocks }, (_, index) => user(text(`${index}`, 10), index === blocks - 1));
      provider.send([user(text('a', 2_000)), ...more]);
      expect(provider.bill.read).toBe(read);
    }
  });

  it('rejects more than four markers', () => {
    const marked = Array.from({ length: 5 }, (_, index) => user(text(`${index}`, 2_000), true));
    expect(() => createProvider().send(marked)).toThrow(/markers/);
  });
});

describe('tiered prompts', () => {
  const { sessions, sizeOf } = generateSessions();
  function total(workload: Workload) {
    const sum = { none: 0, last: 0, tiered: 0, bound: 0 };
    for (const steps of sessions) {
      const costs = computeCosts(toRequests(steps, sizeOf, workload), product);
      for (const way of ['none', 'last', 'tiered', 'bound'] as const) sum[way] += costs[way];
    }
    return sum;
  }

  it('cost no more than a marker on the last message as long as no file changes', () => {
    for (const files of ['none', 'fixed'] as const) {
      const costs = total({ perCall: false, files, compaction: false });
      expect(costs.tiered / costs.last).toBeLessThan(1.02);
      expect(costs.tiered / costs.none).toBeLessThan(1.02);
    }
  });

  it('cost clearly less when files are read, edited and dropped, with or without compaction', () => {
    for (const compaction of [false, true]) {
      const costs = total({ perCall: true, files: 'used', compaction });
      expect(costs.tiered / costs.last).toBeLessThan(0.8);
      expect(costs.tiered / costs.none).toBeLessThan(0.8);
    }
  });
});
