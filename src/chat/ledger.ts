import { join } from 'node:path';
import { PriceTable } from '../history/index.ts';
import { appendRecord, readLogLines } from '../log/index.ts';
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
  /** Estimated US dollars; absent if the price is not known. */
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
  readonly #prices: PriceTable;

  constructor(home: string, now: () => number = Date.now, prices: PriceTable = new PriceTable()) {
    this.path = join(home, 'ledger.jsonl');
    this.#now = now;
    this.#prices = prices;
  }

  record(call: Omit<LedgerRecord, 'v' | 'at' | 'cost'>): void {
    const cost = call.usage && this.#prices.cost(call.model, call.usage);
    const at = new Date(this.#now()).toISOString();
    appendRecord(this.path, { v: 1, at, ...call, ...omitUndefined({ cost }) });
  }

  /** The total of the calls since a time. Unreadable lines are skipped. */
  total(since = ''): LedgerTotal {
    const total = { calls: 0, inputTokens: 0, outputTokens: 0, cost: 0 };
    for (const { text } of readLogLines(this.path)) {
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
