/** Why a file is not in the context, as a word that programs can compare. */
export type FileProblemReason =
  | 'missing' // there is no such file
  | 'outside' // the path, or a symlink on it, leaves the root
  | 'bad-path' // no path at all: empty, with a NUL, the root itself
  | 'not-a-file' // a folder, a pipe, a device
  | 'binary'
  | 'too-large'
  | 'unreadable' // there, but it may not or cannot be read
  | 'no-root'; // nothing to read from: neither a root nor the content was given

/** A file that was not taken, and why. */
export interface FileProblem {
  /** The path as it was asked for. */
  readonly path: string;
  readonly reason: FileProblemReason;
  /** What was wrong and what to do, for people. */
  readonly message: string;
}
