import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assembleFlat, estimatePromptTokens } from '../../../src/context/assembly/assemble-flat.ts';
import type { PromptInput } from '../../../src/context/assembly/prompt.ts';
import { TokenCounter } from '../../../src/context/tokens/token-counter.ts';
import { anyInput, MINIMAL } from './prompt-arbitrary.ts';

const counter = new TokenCounter('gpt-4o');

/** A prompt of the size that a session has after a while. */
const SESSION: PromptInput = {
  ...MINIMAL,
  symbols: new Map([['src/store-1.ts', 'src/store-1.ts: c Store']]),
  files: new Map(
    Array.from({ length: 20 }, (_, index) => [
      `src/store-${index}.ts`,
      `export class Store${index} {\n  get(key: string): string { return this.#values[key] ?? ''; }\n}\n`.repeat(
        9,
      ),
    ]),
  ),
  history: Array.from({ length: 40 }, (_, index) => ({
    role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: `Message ${index} says that the store keeps its values in memory until it is closed.`,
  })),
};

describe('the estimate of a prompt', () => {
  it('is more than zero for the shortest prompt', () => {
    expect(estimatePromptTokens(MINIMAL, counter)).toBeGreaterThan(0);
  });

  it('is what the counter says of the flat prompt when nothing is known beforehand', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        expect(estimatePromptTokens(input, counter)).toBe(counter.countMessages(assembleFlat(input)));
      }),
      { numRuns: 50 },
    );
  });

  it('is off by less than a token for two files when the counts of files and history are known', () => {
    const known = {
      files: new Map([...SESSION.files].map(([path, content]) => [path, counter.count(content)])),
      history: counter.countMessages(SESSION.history),
    };
    const exact = counter.countMessages(assembleFlat(SESSION));
    const estimate = estimatePromptTokens(SESSION, counter, known);
    expect(Math.abs(estimate - exact)).toBeLessThan(SESSION.files.size / 2);
  });

  it('does not count the symbols of a file that is sent in full', () => {
    const files = new Map([['src/a.ts', 'export const a = 1;\n']]);
    const symbols = new Map([['src/a.ts', 'src/a.ts: v a, and much more. '.repeat(100)]]);
    const known = { files: new Map([['src/a.ts', 7]]) };
    expect(estimatePromptTokens({ ...MINIMAL, files, symbols }, counter, known)).toBe(
      estimatePromptTokens({ ...MINIMAL, files }, counter, known),
    );
  });

  it('counts the files that are missing from the known ones', () => {
    const files = new Map(
      [...SESSION.files].slice(3).map(([path, content]) => [path, counter.count(content)]),
    );
    const exact = counter.countMessages(assembleFlat(SESSION));
    const estimate = estimatePromptTokens(SESSION, counter, { files });
    expect(Math.abs(estimate - exact) / exact).toBeLessThan(0.01);
  });

  it('does not look at texts whose counts are known', () => {
    const files = new Map([['a.ts', 'x'.repeat(4_000)]]);
    const estimate = estimatePromptTokens({ ...MINIMAL, files }, counter, { files: new Map([['a.ts', 7]]) });
    expect(estimate).toBeLessThan(60);
  });
});
