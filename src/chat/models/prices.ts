import type { Usage } from '../../record/index.ts';

/** What a million tokens cost, in US dollars. */
interface Price {
  readonly input: number;
  readonly output: number;
  /** As a part of `input`. */
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** List prices as of 2026, the first that fits the name counts. A model that is not here has no price. */
const PRICES: readonly (readonly [RegExp, Price])[] = [
  [/claude-(?:opus-4-[5-9]|opus-[5-9])/, price(5, 25, 0.1, 1.25)],
  [/claude-(?:3-)?opus/, price(15, 75, 0.1, 1.25)],
  [/claude-.*sonnet/, price(3, 15, 0.1, 1.25)],
  [/claude-haiku-4/, price(1, 5, 0.1, 1.25)],
  [/claude-3-5-haiku/, price(0.8, 4, 0.1, 1.25)],
  [/gpt-5.*nano/, price(0.05, 0.4, 0.1)],
  [/gpt-5.*mini/, price(0.25, 2, 0.1)],
  [/gpt-5(?!.*pro)/, price(1.25, 10, 0.1)],
  [/gpt-4\.1-nano/, price(0.1, 0.4, 0.25)],
  [/gpt-4\.1-mini/, price(0.4, 1.6, 0.25)],
  [/gpt-4\.1/, price(2, 8, 0.25)],
  [/gpt-4o-mini/, price(0.15, 0.6, 0.5)],
  [/gpt-4o/, price(2.5, 10, 0.5)],
  [/\bo4-mini/, price(1.1, 4.4, 0.25)],
  [/\bo3(?!.*(?:pro|deep|mini))/, price(2, 8, 0.25)],
  [/gemini-2\.5-flash-lite/, price(0.1, 0.4, 0.1)],
  [/gemini-2\.5-flash/, price(0.3, 2.5, 0.1)],
  [/gemini-2\.5-pro/, price(1.25, 10, 0.1)],
];

function price(input: number, output: number, cacheRead: number, cacheWrite = 1): Price {
  return { input, output, cacheRead, cacheWrite };
}

/** What a reply cost in US dollars by list price; undefined when the price of the model is not known. */
export function costOf(model: string, usage: Usage): number | undefined {
  const found = PRICES.find(([pattern]) => pattern.test(model.toLowerCase()))?.[1];
  if (found === undefined) return undefined;
  const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
  const input = inputTokens + cacheReadTokens * found.cacheRead + cacheWriteTokens * found.cacheWrite;
  return (input * found.input + outputTokens * found.output) / 1_000_000;
}
