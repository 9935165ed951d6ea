import fc from 'fast-check';
import type { Turn } from '../../../src/context/message.ts';

/** Turns with roles in any order, as after a crash or an import. */
export function anyTurns(options: { readonly maxLength?: number } = {}): fc.Arbitrary<Turn[]> {
  return fc.array(
    fc.record({ role: fc.constantFrom('user' as const, 'assistant' as const), content: fc.string() }),
    options,
  );
}

/** A session of this many distinct turns, starting with the user. */
export function alternatingTurns(length: number, words = 1): Turn[] {
  return Array.from({ length }, (_, index) => ({
    role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: `${index}${' word'.repeat(words)}`,
  }));
}
