import fc from 'fast-check';
import type { Turn } from '../../../src/context/message.ts';

/** Turns in any order of roles, as a crash or an import may leave them. */
export function anyTurns(options: { readonly maxLength?: number } = {}): fc.Arbitrary<Turn[]> {
  return fc.array(
    fc.record({ role: fc.constantFrom('user' as const, 'assistant' as const), content: fc.string() }),
    options,
  );
}

/** A session of that many turns, the user's first, each with a content of its own. */
export function alternatingTurns(length: number, words = 1): Turn[] {
  return Array.from({ length }, (_, index) => ({
    role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: `${index}${' word'.repeat(words)}`,
  }));
}
