import { textHash } from '../record/id.ts';
import { beginningOf } from '../text/characters.ts';

/** Whose records: the user's own of a project, or those that colleagues share of it. */
export interface CauseScope {
  /** The project's own id. */
  readonly project: string;
  readonly isTeam: boolean;
}

/** The number that stands for a cause in the tables. What is proved or blamed in one scope says nothing about another. */
export function causeId({ project, isTeam }: CauseScope, cause: string): number {
  return textHash(`${project}\0${isTeam ? 'team' : ''}\0${cause}`);
}

const MAX_CAUSE_LENGTH = 400;
/** Leaves room for a hash. */
const MAX_BEGINNING_LENGTH = 380;

/** A cause as the tables have it: a long one is its beginning and a hash. */
export function causeText(cause: string): string {
  if (cause.length <= MAX_CAUSE_LENGTH) return cause;
  return `${beginningOf(cause, MAX_BEGINNING_LENGTH)} ${textHash(cause).toString(36)}`;
}
