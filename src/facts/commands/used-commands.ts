import type { Attempt } from '../../record/record.ts';
import { findRoot } from '../call/describe-call.ts';
import { type CommandUse, recogniseCommands } from './recognise-commands.ts';

/** A command of the project as a whole, as a call used it. */
export type UsedCommand = Pick<CommandUse, 'fact' | 'value' | 'ecosystem' | 'isScript'>;

/** Longer commands are not commands of the project. */
const MAX_VALUE_LENGTH = 120;
/** Output of a command that did not run although the call succeeded, because it was piped. */
const DID_NOT_RUN =
  /command not found|missing script|no such file or directory|no module named|is not recognized|unknown command|could not determine executable|no rule to make target|ERR_PNPM_NO_SCRIPT|command "[^"]*" not found|script not found/i;
const MAX_OUTPUT_READ = 4_000;
/** A folder that is not in the project. */
const OUTSIDE = /^(\.\.|\/|[A-Za-z]:)/;
/** A worktree in the project's folder: another checkout of all of it. */
const WORKTREE = /^(?:[\w.-]+\/)*[\w.-]*worktrees\/[^/]+/;

/**
 * The commands that a successful call used to test, build, lint, format, check types, run or install. What is narrowed to
 * some files or runs in a part of the project is not the project's.
 */
export function findUsedCommands(attempt: Attempt): readonly UsedCommand[] {
  const { command, cwd = '', result = '' } = attempt;
  if (command === undefined || OUTSIDE.test(cwd)) return [];
  const uses = recogniseCommands(command, { folder: cwd === '.' ? '' : cwd, root: findRoot(attempt) });
  if (uses.length === 0 || DID_NOT_RUN.test(result.slice(0, MAX_OUTPUT_READ))) return [];
  return uses
    .filter(({ value, folder, whole }) => {
      return whole && folder.replace(WORKTREE, '') === '' && value.length <= MAX_VALUE_LENGTH;
    })
    .map(({ fact, value, ecosystem, isScript }) => ({ fact, value, ecosystem, isScript }));
}
