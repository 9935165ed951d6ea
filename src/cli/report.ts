import { errorCode } from '../files/index.ts';
import { type Diagnostic, messageOf, YoreError } from '../record/index.ts';
import { EXIT, EXIT_CODES } from './exit-codes.ts';
import type { Output } from './output/output.ts';
import { sanitise } from './output/sanitise.ts';

/** File system errors that are not wrapped in a {@link YoreError}. */
const FILE_ERRORS = 'ENOSPC EDQUOT EROFS EACCES EPERM ENOTDIR EISDIR EEXIST'.split(' ');

/** Prints an error and what to do about it to standard error, and returns its exit code. `help` shows the usage. */
export function reportError(error: unknown, output: Output, debug: boolean, help: string): number {
  const { message, hint, code } = describeError(error, help);
  reportUsageError(message, hint, output);
  if (debug && error instanceof Error) output.error.write(`${sanitise(formatTrace(error))}\n`);
  return code;
}

/** Prints a message to standard error and, on a line of its own, what to do. */
export function reportUsageError(message: string, hint: string | undefined, output: Output): void {
  const { red, dim } = output.errorStyle;
  output.error.write(`${red('yore:')} ${sanitise(message)}\n`);
  if (hint !== undefined) output.error.write(`${dim(`      ${sanitise(hint)}`)}\n`);
}

/**
 * Prints to standard error what may be missing from a result, and returns the exit code for it. Only records of a newer
 * yore make a result incomplete; all other diagnostics are for information.
 */
export function reportDiagnostics(diagnostics: readonly Diagnostic[], output: Output): number {
  for (const { message } of diagnostics) output.warn(message);
  return diagnostics.some(({ code }) => code === 'newer') ? EXIT.newerVersion : EXIT.ok;
}

function describeError(error: unknown, help: string) {
  if (error instanceof YoreError) {
    return { message: error.message, hint: findHint(error, help), code: EXIT_CODES[error.code] };
  }
  const message = messageOf(error);
  if (FILE_ERRORS.includes(errorCode(error) ?? '')) {
    return { message: `${message}.`, hint: 'To diagnose it: yore doctor', code: EXIT.storage };
  }
  return {
    message: `unexpected error: ${message}`,
    hint: 'Run it again with --debug for a stack trace.',
    code: EXIT.unexpected,
  };
}

/** The command that helps with an error, unless the message names one. */
function findHint({ code, message }: YoreError, help: string): string | undefined {
  if (/\byore [a-z]/.test(message)) return undefined;
  switch (code) {
    case 'USAGE':
    case 'LIMIT':
      return `Usage: ${help}`;
    case 'CONFIG':
      return 'All settings: yore config list';
    case 'NOT_FOUND':
      if (/\bproject\b|^Nothing is recorded/.test(message)) return 'All projects: yore projects';
      return /\bsession\b/.test(message) ? 'All sessions: yore sessions' : `Usage: ${help}`;
    case 'NEWER_VERSION':
      return 'Update yore to read them.';
    default:
      return 'To diagnose it: yore doctor';
  }
}

function formatTrace(error: Error): string {
  const own = error.stack ?? error.message;
  return error.cause instanceof Error ? `${own}\ncaused by ${formatTrace(error.cause)}` : own;
}
