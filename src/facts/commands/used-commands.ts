import type { Attempt } from '../../record/record.ts';
import type { Action } from '../call/action.ts';
import { COMMAND_FACTS } from './command-table.ts';
import { type CommandUse, findSingleCommand, recogniseCommands } from './recognise-commands.ts';

/** Longer commands are not commands of the project. */
const MAX_VALUE_LENGTH = 120;
/** Output of a command that did not run although the call succeeded, because it was piped. */
const DID_NOT_RUN =
  /command not found|missing script|no such file or directory|no module named|is not recognized|unknown command|could not determine executable|no rule to make target|ERR_PNPM_NO_SCRIPT|command "[^"]*" not found|script not found/i;
const MAX_OUTPUT_READ = 4_000;
/** A folder that is not in the project. */
const OUTSIDE = /^(\.\.|\/|[A-Za-z]:)/;

/**
 * The commands that a successful call used to test, build, lint, format or install. A script that is not known counts by
 * what the call as a whole did.
 */
export function findUsedCommands({ command, cwd = '', result = '' }: Attempt, action: Action): readonly CommandUse[] {
  if (command === undefined || OUTSIDE.test(cwd)) return [];
  const uses = recogniseUses(command, cwd === '.' ? '' : cwd, action);
  if (uses.length === 0 || DID_NOT_RUN.test(result.slice(0, MAX_OUTPUT_READ))) return [];
  return uses.filter(({ value, folder }) => value.length + folder.length <= MAX_VALUE_LENGTH);
}

/** The same few commands run repeatedly. */
const cache = new Map<string, readonly CommandUse[]>();
const MAX_CACHED = 64;

function recogniseUses(command: string, folder: string, action: Action): readonly CommandUse[] {
  const key = `${action} ${folder}\n${command}`;
  let uses = cache.get(key);
  if (uses === undefined) {
    uses = recogniseCommands(command, folder);
    const fact = COMMAND_FACTS.find((each) => each === `${action}Command`);
    const plain = uses.length > 0 || fact === undefined ? undefined : findSingleCommand(command, folder);
    if (plain !== undefined && fact !== undefined) uses = [{ ...plain, fact, ecosystem: 'any', whole: true }];
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(key, uses);
  }
  return uses;
}
