import { redactBounded } from '../../redact/redact.ts';

/** What is recorded of a request with the calls that serve it: its first 500 characters. */
const RECORDED = { head: 500, tail: 0 };

/** Redacts and truncates a request. */
export function boundRequest(text: string): string {
  return redactBounded(text, RECORDED);
}
