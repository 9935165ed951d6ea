import type { Attempt } from '../../record/record.ts';
import { type CommandUse, recogniseCommands } from './recognise-commands.ts';

/** Longer commands are not commands of the project. */
const MAX_VALUE_LENGTH = 120;
/** Output of a command that did not run although the call succeeded, because it was piped. */
const DID_NOT_RUN =
  /command not found|missing script|no such file or directory|no module named|is not recognized|unknown command|could not determine executable|no rule to make target|ERR_PNPM_NO_SCRIPT|command "[^"]*" not found|script not found/i;
const MAX_OUTPUT_READ = 4_000;
/** A folder that is not in the project. */
const OUTSIDE = /^(\.\.|\/|[A-Za-z]:)/;

/** The commands that a successful call used to test, build, lint, format or install. */
export function findUsedCommands({ command, cwd = '', result = '' }: Attempt): readonly CommandUse[] {
  if (command === undefined || OUTSIDE.test(cwd)) return [];
  const uses = recogniseCommands(command, cwd === '.' ? '' : cwd);
  if (uses.length === 0 || DID_NOT_RUN.test(result.slice(0, MAX_OUTPUT_READ))) return [];
  return uses.filter(({ value, folder }) => value.length + folder.length <= MAX_VALUE_LENGTH);
}
