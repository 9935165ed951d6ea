import type { ModelPrice, ModelPrices } from '../config/settings.ts';
import type { Usage } from '../record/index.ts';
import { getOrAdd, once } from '../record/once.ts';
import { LIST_PRICES } from './list-prices.ts';

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
    const find = () => this.#own.find(([pattern]) => pattern.test(name))?.[1] ?? listPrices().get(listName(name));
    const found = getOrAdd(this.#found, name, () => find() ?? 'unknown');
    return found === 'unknown' ? undefined : found;
  }

  /**
   * The estimated cost in US dollars; undefined when the price of the model is not known. What a reply really cost may differ:
   * there are subscriptions, discounts, and surcharges for long prompts.
   */
  cost(model: string, usage: Usage): number | undefined {
    const price = this.find(model);
    if (price === undefined) return undefined;
    const { input, output, cacheRead = input, cacheWrite = input, cacheHour = cacheWrite } = price;
    const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0, cacheHourTokens = 0 } = usage;
    const written = cacheWriteTokens * cacheWrite + cacheHourTokens * (cacheHour - cacheWrite);
    return (inputTokens * input + outputTokens * output + cacheReadTokens * cacheRead + written) / 1_000_000;
  }
}

const listPrices = once(
  (): ReadonlyMap<string, ModelPrice> =>
    new Map(
      LIST_PRICES.trim()
        .split('\n')
        .map((row) => {
          const [name = '', ...prices] = row.split(' ');
          const keys = ['input', 'output', 'cacheRead', 'cacheWrite', 'cacheHour'];
          const price = Object.fromEntries(prices.map((value, index) => [keys[index], Number(value)]));
          return [name, price as unknown as ModelPrice] as const;
        }),
    ),
);

/** Names a model as the list does: `us.anthropic.claude-opus-4-5-20251101-v1:0` and `claude-opus-4.5` → `claude-opus-4-5`. */
function listName(model: string): string {
  const name = model
    .replace(/^.*\/|^(?:\w+\.)?anthropic\./, '')
    .replace(/(?:\[1m\]|-latest|-preview|-v\d+:\d+)$/, '')
    .replace(/[-@]\d{4}-?\d{2}-?\d{2}$/, '');
  return name.startsWith('claude') ? name.replaceAll('.', '-') : name;
}

function toPattern(name: string): RegExp {
  const parts = name.toLowerCase().split('*');
  return new RegExp(`^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`);
}
