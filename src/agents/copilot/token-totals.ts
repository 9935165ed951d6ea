import type { Usage } from '../../record/index.ts';
import { asCount, asFields, type Fields } from '../transcript/fields.ts';

/** Tokens of a whole session, as Copilot counts them: `input` contains what came from and went to the cache. */
export interface TokenTotals {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

const NONE: TokenTotals = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const KINDS = ['input', 'output', 'cacheRead', 'cacheWrite'] as const;

/** Totals from plain JSON; what is no count is zero. */
export function asTotals(fields: Fields): TokenTotals {
  return {
    input: asCount(fields.input) ?? 0,
    output: asCount(fields.output) ?? 0,
    cacheRead: asCount(fields.cacheRead) ?? 0,
    cacheWrite: asCount(fields.cacheWrite) ?? 0,
  };
}

/** The sum over all models in the data of `session.shutdown`; undefined when nothing was counted. */
export function shutdownTotals(data: Fields): TokenTotals | undefined {
  let totals = NONE;
  for (const metric of Object.values(asFields(data.modelMetrics) ?? {})) {
    const usage = asFields(asFields(metric)?.usage) ?? {};
    totals = {
      input: totals.input + (asCount(usage.inputTokens) ?? 0),
      output: totals.output + (asCount(usage.outputTokens) ?? 0),
      cacheRead: totals.cacheRead + (asCount(usage.cacheReadTokens) ?? 0),
      cacheWrite: totals.cacheWrite + (asCount(usage.cacheWriteTokens) ?? 0),
    };
  }
  return KINDS.some((kind) => totals[kind] > 0) ? totals : undefined;
}

/**
 * What the totals tell that was not told before: a session that is resumed counts on from its last totals, so they are
 * subtracted where they fit in, and so are the output tokens that came with the messages since.
 */
export function usageSince(
  totals: TokenTotals,
  before: TokenTotals | undefined,
  outputTokens: number,
): Usage | undefined {
  const base = before && KINDS.every((kind) => totals[kind] >= before[kind]) ? before : NONE;
  const cacheReadTokens = totals.cacheRead - base.cacheRead;
  const cacheWriteTokens = totals.cacheWrite - base.cacheWrite;
  const inputTokens = Math.max(0, totals.input - base.input - cacheReadTokens - cacheWriteTokens);
  const output = Math.max(0, totals.output - base.output - outputTokens);
  const usage = { inputTokens, outputTokens: output, cacheReadTokens, cacheWriteTokens };
  return Object.values(usage).some((count) => count > 0) ? usage : undefined;
}
