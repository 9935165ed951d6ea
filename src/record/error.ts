/** What went wrong, for programs. The CLI maps each code to an exit code. */
export type ErrorCode =
  | 'USAGE' // invalid arguments
  | 'NOT_FOUND' // no such session, project, image
  | 'CONFIG' // a setting is unknown or of the wrong type
  | 'LIMIT' // an input is larger than allowed
  | 'STORAGE' // a file or folder cannot be used
  | 'DISK_FULL'
  | 'READ_ONLY' // a file or folder is not writable
  | 'NOT_OWNED' // the home belongs to another user
  | 'NEWER_VERSION' // written by a newer yore
  | 'BUSY' // another process or request holds a lock
  | 'TEAM' // the team's server cannot be reached or used
  | 'MODEL' // the model could not be reached, or its reply was interrupted
  | 'OVERFLOW'; // the prompt is too long for the model

/** The error class of everything yore throws on purpose. `message` says what is wrong, where, and what to do next. */
export class YoreError extends Error {
  override readonly name = 'YoreError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** The message of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The message of whatever was thrown, for use within a sentence: without a full stop at its end. */
export function reasonOf(thrown: unknown): string {
  return messageOf(thrown)
    .trimEnd()
    .replace(/(?<!\.)\.$/, '');
}

/** A part of yore's files that could not be read and was skipped. */
export interface Problem {
  readonly path: string;
  /** Line number, counted from 1. */
  readonly line?: number;
  /** `newer`: written by a newer yore. `invalid`: not parseable. `missing`: a file that is referred to does not exist. */
  readonly reason: 'newer' | 'invalid' | 'missing';
  /** What is wrong, in a few words. */
  readonly detail: string;
}

/** Something the user should know about a result that is otherwise good. */
export interface Diagnostic {
  /**
   * `rebuilt`: the index was rebuilt. `scanned`: there is no index, so the logs were read instead. `words`: meanings could
   * not be compared, only words.
   */
  readonly code: Problem['reason'] | 'rebuilt' | 'scanned' | 'words';
  readonly message: string;
}

/** One diagnostic for each file and reason, naming the first occurrence. */
export function summariseProblems(problems: readonly Problem[]): readonly Diagnostic[] {
  const groups = new Map<string, Problem[]>();
  for (const problem of problems) {
    const key = `${problem.reason} ${problem.path}`;
    groups.set(key, [...(groups.get(key) ?? []), problem]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ code: first.reason, message: describe(first, group.length) }] : [];
  });
}

function describe(first: Problem, count: number): string {
  const place = first.line === undefined ? first.path : `${first.path}, line ${first.line}`;
  const which = count > 1 ? `${place} and ${count - 1} more` : place;
  if (first.reason === 'missing') return `${which}: ${first.detail}.`;
  if (first.reason === 'invalid') return `${which}: skipped, ${first.detail}. Nothing else is affected.`;
  return `${which}: written by a newer yore (${first.detail}) and left unchanged. Upgrade yore to read it: npm install -g yore@latest`;
}
