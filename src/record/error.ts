/** What went wrong, as a word that programs can compare. The CLI maps each to an exit code. */
export type ErrorCode =
  | 'USAGE' // the caller asked for something that makes no sense
  | 'NOT_FOUND' // no such session, project, image
  | 'CONFIG' // a setting is unknown or of the wrong type
  | 'LIMIT' // an input is larger than allowed
  | 'STORAGE' // a file or folder is not what it should be
  | 'DISK_FULL'
  | 'READ_ONLY' // a file or folder may not be written
  | 'NOT_OWNED' // the home belongs to another user
  | 'NEWER_VERSION' // written by a newer yore
  | 'BUSY' // another process, or another request, holds what is needed
  | 'MODEL' // the model could not be asked, or broke off
  | 'OVERFLOW'; // the prompt is too long for the model

/** The one error class of yore. `message` says what was wrong, where, and what to do next. */
export class YoreError extends Error {
  override readonly name = 'YoreError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
