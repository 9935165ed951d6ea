import { classifyCommand } from '../call/action.ts';
import { commandHead } from '../call/command-needs.ts';

/** A later success is not considered the resolution of a failure. */
export const RESOLUTION_WINDOW_MS: number = 60 * 60_000;

/** Separators of the commands of a chain. */
const SEPARATORS = / (?:&&|\|\|?) |; /;
const MAX_COMMANDS = 8;
const MAX_WORDS = 40;
/** The share of common words from which two commands count as serving the same purpose. */
const MIN_SIMILARITY = 0.5;

/**
 * Whether a command that worked serves the purpose of one that failed: both install something, both run the same
 * program with the same subcommand, or they share most of their words. In chains, any two commands may match. Guard and
 * digests both use this rule to find resolutions of commands that failed as a whole.
 */
export function resolves(failed: string, worked: string): boolean {
  if (failed === worked) return false;
  const ways = splitCommands(worked);
  return splitCommands(failed).some((command) => ways.some((way) => serveSamePurpose(command, way)));
}

function splitCommands(text: string): readonly (readonly string[])[] {
  return text
    .split(SEPARATORS, MAX_COMMANDS)
    .map((command) => command.split(' ', MAX_WORDS).filter((word) => word !== ''))
    .filter((words) => words.length > 0);
}

function serveSamePurpose(failed: readonly string[], worked: readonly string[]): boolean {
  const action = classifyCommand(worked);
  if (action === 'probe' || action === 'read' || action === 'search') return false;
  const tried = classifyCommand(failed);
  if (action === 'install' && tried === 'install') return true;
  // A passing test does not resolve a failed build.
  if (action !== tried && action !== 'run' && tried !== 'run') return false;
  const head = commandHead(worked);
  return (head.includes(' ') && head === commandHead(failed)) || similarity(failed, worked) >= MIN_SIMILARITY;
}

function similarity(words: readonly string[], others: readonly string[]): number {
  const own = new Set(words);
  const other = new Set(others);
  let common = 0;
  for (const word of own) if (other.has(word)) common++;
  return common / Math.max(own.size, other.size, 1);
}
