import type { SkipEvent } from './transcript-event.ts';

/** Nothing is made of this part, and that is as it should be. */
export function skip(reason: string): SkipEvent {
  return { type: 'skip', reason };
}

/** This part should have been understood. */
export function problem(reason: string): SkipEvent {
  return { type: 'skip', reason, isProblem: true };
}

const NAME = /^[\w./:-]{1,40}$/;

/** A part of a type that nobody knows, e.g. `unknown line: sparkle`. */
export function unknownType(what: string, type: unknown): SkipEvent {
  return problem(
    typeof type === 'string' && NAME.test(type) ? `unknown ${what}: ${type}` : `unknown ${what}`,
  );
}
