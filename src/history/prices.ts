import type { ModelPrice, ModelPrices } from '../config/settings.ts';
import type { Usage } from '../record/index.ts';
import { getOrAdd } from '../record/once.ts';

/**
 * The day as of which {@link LIST_PRICES} are the providers' list prices. What a reply really cost may differ: there are
 * subscriptions, discounts, and surcharges for long prompts.
 */
export const PRICES_AS_OF = '2026-01-01';

/** US dollars per million tokens. The first pattern that matches the name of a model counts. */
const LIST_PRICES: readonly (readonly [RegExp, ModelPrice])[] = [
  [/claude-(?:opus-4-[5-9]|opus-[5-9])/, anthropic(5, 25)],
  [/claude-(?:3-)?opus/, anthropic(15, 75)],
  [/claude-.*sonnet/, anthropic(3, 15)],
  [/claude-haiku-4/, anthropic(1, 5)],
  [/claude-3-5-haiku/, anthropic(0.8, 4)],
  [/claude-3-haiku/, { input: 0.25, output: 1.25, cacheRead: 0.03, cacheWrite: 0.3 }],
  [/gpt-5.*nano/, cached(0.05, 0.4, 0.005)],
  [/gpt-5.*mini/, cached(0.25, 2, 0.025)],
  [/gpt-5-pro/, { input: 15, output: 120 }],
  [/gpt-5\.2(?!.*pro)/, cached(1.75, 14, 0.175)],
  [/gpt-5(?:\.1)?(?!\.\d|.*pro)/, cached(1.25, 10, 0.125)],
  [/gpt-4\.1-nano/, cached(0.1, 0.4, 0.025)],
  [/gpt-4\.1-mini/, cached(0.4, 1.6, 0.1)],
  [/gpt-4\.1/, cached(2, 8, 0.5)],
  [/gpt-4o-mini/, cached(0.15, 0.6, 0.075)],
  [/gpt-4o/, cached(2.5, 10, 1.25)],
  [/\bo4-mini/, cached(1.1, 4.4, 0.275)],
  [/\bo3(?!.*(?:pro|deep|mini))/, cached(2, 8, 0.5)],
  [/gemini-3-pro/, cached(2, 12, 0.2)],
  [/gemini-3-flash/, cached(0.5, 3, 0.05)],
  [/gemini-2\.5-flash-lite/, cached(0.1, 0.4, 0.01)],
  [/gemini-2\.5-flash/, cached(0.3, 2.5, 0.03)],
  [/gemini-2\.5-pro/, cached(1.25, 10, 0.125)],
  [/grok-code-fast/, cached(0.2, 1.5, 0.02)],
  [/deepseek-(?:chat|reasoner|v3)/, cached(0.28, 0.42, 0.028)],
];

/** Reading from the cache costs a tenth of the input price, writing to it a quarter more. */
function anthropic(input: number, output: number): ModelPrice {
  return { input, output, cacheRead: input * 0.1, cacheWrite: input * 1.25 };
}

function cached(input: number, output: number, cacheRead: number): ModelPrice {
  return { input, output, cacheRead };
}

/** Estimates what replies cost: by the user's own prices (the setting `usage.prices`), else by list price. */
export class PriceTable {
  readonly #own: readonly (readonly [RegExp, ModelPrice])[];
  readonly #found = new Map<string, ModelPrice | 'unknown'>();

  /** `own` has the names of models, in which `*` stands for any text. */
  constructor(own: ModelPrices = {}) {
    this.#own = Object.entries(own).map(([name, price]) => [toPattern(name), price]);
  }

  /** The price of a model; undefined when it is not known. */
  find(model: string): ModelPrice | undefined {
    const name = model.toLowerCase();
    const matches = ([pattern]: readonly [RegExp, ModelPrice]): boolean => pattern.test(name);
    const found = getOrAdd(
      this.#found,
      name,
      () => (this.#own.find(matches) ?? LIST_PRICES.find(matches))?.[1] ?? 'unknown',
    );
    return found === 'unknown' ? undefined : found;
  }

  /** The estimated cost in US dollars; undefined when the price of the model is not known. */
  cost(model: string, usage: Usage): number | undefined {
    const price = this.find(model);
    if (price === undefined) return undefined;
    const { input, output, cacheRead = input, cacheWrite = input } = price;
    const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
    const sum =
      inputTokens * input + outputTokens * output + cacheReadTokens * cacheRead + cacheWriteTokens * cacheWrite;
    return sum / 1_000_000;
  }
}

function toPattern(name: string): RegExp {
  const parts = name.toLowerCase().split('*');
  return new RegExp(`^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`);
}
