import { join } from 'node:path';
import { appendRecord, readLines } from '../log/index.ts';
import type { Usage } from '../record/index.ts';
import { costOf } from './models/prices.ts';

/** One call of a model on the user's behalf. */
export interface LedgerLine {
  readonly v: 1;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly why: 'chat' | 'topic';
  /** Id of the project. */
  readonly project: string;
  readonly model: string;
  readonly outcome: 'ok' | 'cancelled' | 'failed';
  readonly usage?: Usage;
  /** US dollars by list price, where the price is known. */
  readonly cost?: number;
}

/** What calls came to. */
export interface LedgerTotal {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of the calls whose price is known. */
  readonly cost: number;
}

/** Every call of a model, in `ledger.jsonl` of yore's home: no hidden spend. */
export class Ledger {
  readonly path: string;
  readonly #now: () => number;

  constructor(home: string, now: () => number = Date.now) {
    this.path = join(home, 'ledger.jsonl');
    this.#now = now;
  }

  /** Writes a call down. */
  note(call: Omit<LedgerLine, 'v' | 'at' | 'cost'>): void {
    const cost = call.usage && costOf(call.model, call.usage);
    const at = new Date(this.#now()).toISOString();
    appendRecord(this.path, { v: 1, at, ...call, ...(cost === undefined ? {} : { cost }) });
  }

  /** What the calls since a time came to. Lines that cannot be read are passed over. */
  total(since = ''): LedgerTotal {
    const total = { calls: 0, inputTokens: 0, outputTokens: 0, cost: 0 };
    for (const { text } of readLines(this.path)) {
      const line = parse(text);
      if (line === undefined || line.at < since) continue;
      const {
        inputTokens = 0,
        outputTokens = 0,
        cacheReadTokens = 0,
        cacheWriteTokens = 0,
      } = line.usage ?? {};
      total.calls += 1;
      total.inputTokens += inputTokens + cacheReadTokens + cacheWriteTokens;
      total.outputTokens += outputTokens;
      total.cost += line.cost ?? 0;
    }
    return total;
  }
}

function parse(text: string): Pick<LedgerLine, 'at' | 'usage' | 'cost'> | undefined {
  try {
    const line = JSON.parse(text) as Partial<LedgerLine> | null;
    return typeof line?.at === 'string' ? (line as LedgerLine) : undefined;
  } catch {
    return undefined;
  }
}
