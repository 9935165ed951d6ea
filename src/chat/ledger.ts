import { join } from 'node:path';
import { appendRecord, readLines } from '../log/index.ts';
import type { Usage } from '../record/index.ts';
import { omitUndefined, parseObject } from '../record/object.ts';

/** One model call on the user's behalf. */
export interface LedgerRecord {
  readonly v: 1;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly why: 'chat' | 'topic';
  /** Id of the project. */
  readonly project: string;
  readonly model: string;
  readonly outcome: 'ok' | 'cancelled' | 'failed';
  readonly usage?: Usage;
  /** US dollars by list price; absent if the price is not known. */
  readonly cost?: number;
}

/** The total of a number of calls. */
export interface LedgerTotal {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of the calls whose price is known. */
  readonly cost: number;
}

/** Records every model call in `ledger.jsonl` of yore's home. */
export class Ledger {
  readonly path: string;
  readonly #now: () => number;

  constructor(home: string, now: () => number = Date.now) {
    this.path = join(home, 'ledger.jsonl');
    this.#now = now;
  }

  record(call: Omit<LedgerRecord, 'v' | 'at' | 'cost'>): void {
    const cost = call.usage && computeCost(call.model, call.usage);
    const at = new Date(this.#now()).toISOString();
    appendRecord(this.path, { v: 1, at, ...call, ...omitUndefined({ cost }) });
  }

  /** The total of the calls since a time. Unreadable lines are skipped. */
  total(since = ''): LedgerTotal {
    const total = { calls: 0, inputTokens: 0, outputTokens: 0, cost: 0 };
    for (const { text } of readLines(this.path)) {
      const line = parseObject(text) as Partial<LedgerRecord> | undefined;
      if (typeof line?.at !== 'string' || line.at < since) continue;
      const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 } = line.usage ?? {};
      total.calls += 1;
      total.inputTokens += inputTokens + cacheReadTokens + cacheWriteTokens;
      total.outputTokens += outputTokens;
      total.cost += line.cost ?? 0;
    }
    return total;
  }
}

/** US dollars per million tokens. */
interface Price {
  readonly input: number;
  readonly output: number;
  /** As a factor of `input`. */
  readonly cacheRead: number;
  /** As a factor of `input`. */
  readonly cacheWrite: number;
}

/** List prices as of 2026. The first pattern that matches the name counts. */
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

/** The cost of a reply in US dollars by list price; undefined if the price of the model is not known. */
function computeCost(model: string, usage: Usage): number | undefined {
  const found = PRICES.find(([pattern]) => pattern.test(model.toLowerCase()))?.[1];
  if (found === undefined) return undefined;
  const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
  const input = inputTokens + cacheReadTokens * found.cacheRead + cacheWriteTokens * found.cacheWrite;
  return (input * found.input + outputTokens * found.output) / 1_000_000;
}
