import { asFields, asInteger, asNumber, defined, type Fields } from '../transcript/fields.ts';
import type { CallFacts } from './call-output.ts';

/** What an event about the end of a command says. */
export function commandFacts(event: Fields): CallFacts {
  return defined({ exitCode: asInteger(event.exit_code), durationMs: durationOf(event.duration) });
}

/** What an event about the end of a patch says. */
export function patchFacts(event: Fields): CallFacts {
  return event.success === false || event.status === 'failed' ? { isError: true } : {};
}

/** What an event about the end of an MCP call says. */
export function mcpFacts(event: Fields): CallFacts {
  const result = asFields(event.result);
  const isError = result !== undefined && ('Err' in result || asFields(result.Ok)?.isError === true);
  return { ...(isError ? { isError } : {}), ...defined({ durationMs: durationOf(event.duration) }) };
}

/** `{"secs":1,"nanos":500000000}`, or milliseconds. */
export function durationOf(value: unknown): number | undefined {
  const fields = asFields(value);
  const seconds = asNumber(fields?.secs);
  if (seconds === undefined) return asNumber(value);
  return Math.round(seconds * 1000 + (asNumber(fields?.nanos) ?? 0) / 1_000_000);
}
