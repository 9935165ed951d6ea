import type { Warning } from '../record/index.ts';
import { EXIT } from './exit-codes.ts';
import type { Output } from './output/output.ts';

/**
 * Says on standard error what may be missing from an answer. Returns the exit code for it: an answer without the
 * records of a newer yore is incomplete, the other warnings are for information.
 */
export function reportWarnings(warnings: readonly Warning[], output: Output): number {
  for (const { message } of warnings) output.warn(message);
  return warnings.some(({ code }) => code === 'newer') ? EXIT.newerVersion : EXIT.ok;
}
