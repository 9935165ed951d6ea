import { OUTCOMES, type Outcome, type Role } from '../record/index.ts';
import { isAttempt, type Searchable } from './searchable.ts';

const ROLES: readonly Role[] = ['user', 'assistant'];

/** The bit that stands for messages of a role. */
export function roleKind(role: Role): number {
  return bit(ROLES.indexOf(role));
}

/** The bit that stands for attempts that ended so. */
export function outcomeKind(outcome: Outcome): number {
  return bit(ROLES.length + OUTCOMES.indexOf(outcome));
}

/** The bit that stands for what a record is; none for a checkpoint, which nobody said. */
export function characterKind(record: Searchable): number {
  if (isAttempt(record)) return outcomeKind(record.outcome);
  return record.kind === 'checkpoint' ? 0 : roleKind(record.role);
}

function bit(place: number): number {
  return place < 0 ? 0 : 1 << place;
}
