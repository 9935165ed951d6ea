import type { ErrorCode } from '../record/index.ts';

/** The exit codes of the command line. */
export const EXIT = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  warning: 3,
  notFound: 4,
  config: 5,
  storage: 6,
  newerVersion: 7,
  model: 8,
  team: 9,
  interrupted: 130,
} as const;

/** What each exit code means, for `--help`. */
export const EXIT_MEANINGS: readonly (readonly [code: number, meaning: string])[] = [
  [EXIT.ok, 'success'],
  [EXIT.unexpected, 'unexpected error'],
  [EXIT.usage, 'invalid command line'],
  [EXIT.warning, 'yore check: the command would trigger a warning'],
  [EXIT.notFound, 'session, project or failure not found'],
  [EXIT.config, 'unknown or invalid setting'],
  [EXIT.storage, 'disk full, or a file or folder is read-only, damaged, busy or not yours'],
  [EXIT.newerVersion, 'some records were written by a newer version of yore'],
  [EXIT.model, 'the model could not be reached, refused, or stopped early'],
  [EXIT.team, "the team's server cannot be reached or used"],
  [EXIT.interrupted, 'interrupted or cancelled'],
];

/** The exit code for each kind of error. */
export const EXIT_CODES: Readonly<Record<ErrorCode, number>> = {
  USAGE: EXIT.usage,
  LIMIT: EXIT.usage,
  NOT_FOUND: EXIT.notFound,
  CONFIG: EXIT.config,
  STORAGE: EXIT.storage,
  DISK_FULL: EXIT.storage,
  READ_ONLY: EXIT.storage,
  NOT_OWNED: EXIT.storage,
  BUSY: EXIT.storage,
  NEWER_VERSION: EXIT.newerVersion,
  TEAM: EXIT.team,
  MODEL: EXIT.model,
  OVERFLOW: EXIT.model,
};
