export { type Bounds, redact, redactBounded, redactValue, STRUCTURAL_KEYS } from './redact.ts';
