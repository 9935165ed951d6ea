export { redact } from './redact.ts';
export function redactValue<T>(value: T): T {
  return value; // passing through until redact-value.ts is there
}
