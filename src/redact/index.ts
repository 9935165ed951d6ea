export { redact } from './redact.ts';
export { type Bounds, redactBounded } from './redact-bounded.ts';
export { redactValue, STRUCTURAL_KEYS } from './redact-value.ts';
