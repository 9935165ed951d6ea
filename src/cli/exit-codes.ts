import type { ErrorCode } from '../record/index.ts';

/** What a command's exit code says. */
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
  interrupted: 130,
} as const;

/** Each exit code in words, for `--help`. */
export const EXIT_MEANINGS: readonly (readonly [code: number, meaning: string])[] = [
  [EXIT.ok, 'done'],
  [EXIT.unexpected, 'something unexpected went wrong'],
  [EXIT.usage, 'the command line makes no sense'],
  [EXIT.warning, 'yore check: it would be warned about'],
  [EXIT.notFound, 'no such session, project or failure'],
  [EXIT.config, 'a setting is unknown or wrong'],
  [EXIT.storage, 'a file or folder is in the way, full, damaged, busy or not yours'],
  [EXIT.newerVersion, 'some records were written by a newer yore'],
  [EXIT.model, 'the model could not be reached, refused or broke off'],
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
  MODEL: EXIT.model,
  OVERFLOW: EXIT.model,
};
