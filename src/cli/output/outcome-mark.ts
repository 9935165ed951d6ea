import type { Outcome } from '../../record/index.ts';
import type { Paint, Style, Symbols } from './terminal.ts';

interface Look {
  readonly style: Style;
  readonly symbols: Symbols;
}

const WORDS: Readonly<Record<Outcome, string>> = {
  success: 'worked',
  failure: 'failed',
  rejected: 'rejected',
  denied: 'denied',
  interrupted: 'interrupted',
  cancelled: 'cancelled',
  noMatch: 'no match',
  unclear: 'unclear',
};

function outcomeSign(outcome: Outcome, symbols: Symbols): string {
  if (outcome === 'success') return symbols.success;
  return outcome === 'failure' ? symbols.failure : symbols.neutral;
}

/** The sign of an outcome with its word: `✗ failed`. */
export function outcomeLabel(outcome: Outcome, symbols: Symbols): string {
  return `${outcomeSign(outcome, symbols)} ${WORDS[outcome]}`;
}

/** The colour of an outcome. */
export function outcomePaint(outcome: Outcome, style: Style): Paint {
  if (outcome === 'success') return style.green;
  return outcome === 'failure' ? style.red : style.dim;
}

/** The sign of an outcome in its colour. */
export function outcomeMarker(outcome: Outcome, { style, symbols }: Look): string {
  return outcomePaint(outcome, style)(outcomeSign(outcome, symbols));
}

/** Counts of successes and failures: `✓3 ✗1`; counts of 0 are left out. */
export function outcomeCounts(
  { successes, failures }: { readonly successes: number; readonly failures: number },
  { style, symbols }: Look,
): string {
  const parts = [
    successes > 0 ? style.green(`${symbols.success}${successes}`) : '',
    failures > 0 ? style.red(`${symbols.failure}${failures}`) : '',
  ];
  return parts.filter((part) => part !== '').join(' ');
}
