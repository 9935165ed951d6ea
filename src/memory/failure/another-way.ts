import { classifyCommand } from '../call/action.ts';
import { commandHead } from '../call/command-needs.ts';

/** A success later than this after a failure has other reasons. */
export const SOLVED_WITHIN_MS: number = 60 * 60_000;

/** Between the commands of a chain. */
const JOINTS = / (?:&&|\|\|?) |; /;
const MOST_COMMANDS = 8;
const MOST_WORDS = 40;
/** Share of words that two commands must have in common to be two ways to the same end. */
const ALIKE = 0.5;

/**
 * Whether a command that worked is another way to the end that a failed one was for: both install something, both
 * are the same program with the same subcommand, or they have most of their words in common. Of chains any two
 * parts. The one rule by which guard and digests tell what worked instead of a command that failed as a whole.
 */
export function isAnotherWay(failed: string, worked: string): boolean {
  if (failed === worked) return false;
  const ways = commandsOf(worked);
  return commandsOf(failed).some((command) => ways.some((way) => haveOneEnd(command, way)));
}

function commandsOf(text: string): readonly (readonly string[])[] {
  return text
    .split(JOINTS, MOST_COMMANDS)
    .map((command) => command.split(' ', MOST_WORDS).filter((word) => word !== ''))
    .filter((words) => words.length > 0);
}

function haveOneEnd(failed: readonly string[], worked: readonly string[]): boolean {
  const action = classifyCommand(worked);
  if (action === 'probe' || action === 'read' || action === 'search') return false;
  const tried = classifyCommand(failed);
  if (action === 'install' && tried === 'install') return true;
  // A test that passes is no other way to build.
  if (action !== tried && action !== 'run' && tried !== 'run') return false;
  const head = commandHead(worked);
  return (head.includes(' ') && head === commandHead(failed)) || shareOf(failed, worked) >= ALIKE;
}

function shareOf(words: readonly string[], others: readonly string[]): number {
  const own = new Set(words);
  const other = new Set(others);
  let common = 0;
  for (const word of own) if (other.has(word)) common++;
  return common / Math.max(own.size, other.size, 1);
}
