import { textHash } from '../record/id.ts';

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
