import type { Usage } from '../../record/index.ts';
import { asCount, asFields, defined, type Fields } from '../transcript/fields.ts';

/**
 * What the last reply cost, and the tokens of the whole session by then: the same counts are written again when only
 * the limits of the account changed. Undefined when there are no counts.
 */
export function usageOf(event: Fields): { readonly usage: Usage; readonly total: number } | undefined {
  const info = asFields(event.info);
  const last = asFields(info?.last_token_usage);
  const total = asCount(asFields(info?.total_token_usage)?.total_tokens);
  const input = asCount(last?.input_tokens);
  if (total === undefined || input === undefined) return undefined;
  const cached = asCount(last?.cached_input_tokens) ?? 0;
  const usage = defined({
    // Of Codex the cached ones are part of the input.
    inputTokens: Math.max(0, input - cached),
    outputTokens: asCount(last?.output_tokens),
    cacheReadTokens: cached,
    cacheWriteTokens: asCount(last?.cache_write_input_tokens),
  });
  return { usage, total };
}
