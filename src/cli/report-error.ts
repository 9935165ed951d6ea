import { YoreError } from '../record/index.ts';
import { EXIT, EXIT_CODES } from './exit-codes.ts';
import type { Output } from './output/output.ts';
import { sanitise } from './output/sanitise.ts';

/** Says on standard error what went wrong and what to do, and returns the exit code for it. */
export function reportError(error: unknown, output: Output, debug: boolean, help: string): number {
  const { message, hint, code } = describeError(error, help);
  reportMistake(message, hint, output);
  if (debug && error instanceof Error) output.error.write(`${sanitise(traceOf(error))}\n`);
  return code;
}

/** Says on standard error what is wrong and, on a line of its own, what to do. */
export function reportMistake(message: string, hint: string | undefined, output: Output): void {
  const { red, dim } = output.errorStyle;
  output.error.write(`${red('yore:')} ${sanitise(message)}\n`);
  if (hint !== undefined) output.error.write(`${dim(`      ${sanitise(hint)}`)}\n`);
}

interface Description {
  readonly message: string;
  readonly hint?: string;
  readonly code: number;
}

function describeError(error: unknown, help: string): Description {
  if (error instanceof YoreError) {
    const hint = hintFor(error, help);
    return { message: error.message, code: EXIT_CODES[error.code], ...(hint ? { hint } : {}) };
  }
  const message = error instanceof Error ? error.message : String(error);
  if (isFileError(error)) {
    return { message: `${message}.`, hint: 'See what is wrong: yore doctor', code: EXIT.storage };
  }
  return {
    message: `unexpected: ${message}`,
    hint: 'Run it again with --debug to see where it comes from.',
    code: EXIT.unexpected,
  };
}

/** Messages of yore say what to do; a hint adds the command that helps. */
function hintFor(error: YoreError, help: string): string | undefined {
  if (/\byore [a-z]/.test(error.message)) return undefined;
  switch (error.code) {
    case 'USAGE':
    case 'LIMIT':
      return `How to use it: ${help}`;
    case 'CONFIG':
      return 'All settings: yore config list';
    case 'NOT_FOUND':
      return 'All sessions: yore sessions';
    case 'NEWER_VERSION':
      return 'Update yore to read them.';
    default:
      return 'See what is wrong: yore doctor';
  }
}

function isFileError(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'ENOTDIR', 'EISDIR', 'EEXIST'].includes(
      String(error.code),
    )
  );
}

function traceOf(error: Error): string {
  const own = error.stack ?? error.message;
  return error.cause instanceof Error ? `${own}\ncaused by ${traceOf(error.cause)}` : own;
}
