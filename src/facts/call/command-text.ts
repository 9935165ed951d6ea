import type { Attempt } from '../../record/record.ts';
import { oneLine } from '../../text/one-line.ts';
import { classifyCommand } from './action.ts';
import { toolVerb } from './tool-call.ts';

const MAX_COMMAND_LENGTH = 200;
/** Prefixes that only set the folder, how the shell treats errors, or a time-out. */
const LEADING =
  /^(?:(?:cd\s+(?:"[^"]*"|'[^']*'|[^\s;&|]+)|set -[a-z]+(?: pipefail)?)[ \t]*(?:&&|;|\n)\s*|timeout\s+(?:-\S+\s+)*\d+[smh]?\s+)/;
/** Suffixes that only limit the output. */
const TRAILING = /\s*(?:\|\s*(?:head|tail)(?:\s+-\S+(?:\s+\d+)?)*|2>\s*&1|[12]?>\s*\/dev\/null)\s*$/;

/** Formats a recorded command as a person would type it, without what only sets the folder or limits the output. */
export function formatCommand(command: string): string {
  let text = command.slice(0, 4 * MAX_COMMAND_LENGTH).trim();
  for (let match = LEADING.exec(text); match && match[0].length < text.length; match = LEADING.exec(text)) {
    text = text.slice(match[0].length);
  }
  text = stripOutputLimits(text);
  const [first = '', ...more] = text.split('\n');
  return oneLine(more.length > 0 && first.trim() !== '' ? `${first} …` : text, MAX_COMMAND_LENGTH);
}

const MAX_CALL_LENGTH = 200;
/** What was tried, as guard and digests show it: a command, `read src/a.ts`, or a tool with its argument. */
export function describeAttempt(attempt: Pick<Attempt, 'command' | 'path' | 'tool' | 'args' | 'signature'>): string {
  const { command, path, tool = '', args = {}, signature } = attempt;
  if (command !== undefined) return formatCommand(command);
  const about = path ?? Object.values(args).find((value) => typeof value === 'string' && value !== '');
  const verb = path === undefined ? tool : toolVerb(tool);
  const part = verb === 'read' && signature?.endsWith('#part') === true ? ' part of' : '';
  return oneLine(
    `${verb}${part} ${typeof about === 'string' ? about.slice(0, 2 * MAX_CALL_LENGTH) : ''}`.trim(),
    MAX_CALL_LENGTH,
  );
}

function stripOutputLimits(command: string): string {
  let text = command;
  for (let match = TRAILING.exec(text); match && match.index > 0; match = TRAILING.exec(text)) {
    text = text.slice(0, match.index);
  }
  return text;
}

/** Separators of the commands of a chain. */
const SEPARATORS = / (?:&&|\|\|?) |; /;
/** A part with an odd number of quotes was split inside a quotation. */
const QUOTES = /["'`]/g;

/** The last command of a chain that does what the chain was classified as (`kind`); without one, the whole chain. */
export function findCommandPart(text: string, kind: string): string {
  const parts = text.split(SEPARATORS);
  if (parts.length < 2) return text;
  const part = parts.findLast((candidate) => classifyCommand(candidate.trim().split(' ')) === kind);
  if (part === undefined || part.endsWith('…') || kind === 'run') return text;
  return (part.match(QUOTES)?.length ?? 0) % 2 === 0 ? stripOutputLimits(part.trim()) : text;
}

const MAX_MESSAGE_LENGTH = 160;
/** The output of git: `[main 1a2b3c4] message`, `[main (root-commit) 1a2b3c4] message`. */
const GIT_OUTPUT = /^\[[^\]\n]{1,200} [0-9a-f]{7,40}\] (.+)$/m;
/** `-m "$(cat <<'EOF'`, followed by the message. */
const HEREDOC = /<<-?\s*['"]?(\w+)['"]?\s*\n\s*(\S.*)/;
const ARGUMENT = String.raw`(?:\s+|=)(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+))`;
const MESSAGE = new RegExp(`\\s(?:-[a-zA-Z]*m|--message)${ARGUMENT}`);

/** The first line of the message of a commit, bounded. */
export function commitSubject(message: string): string {
  return oneLine(message.trim().split('\n', 1)[0] ?? '', MAX_MESSAGE_LENGTH);
}

/** The first line of the message of a recorded commit, if it can be found. */
export function findCommitMessage(attempt: Pick<Attempt, 'command' | 'result' | 'args'>): string | undefined {
  const answered = GIT_OUTPUT.exec(attempt.result ?? '')?.[1];
  const command = attempt.command ?? '';
  const text = answered ?? HEREDOC.exec(command)?.[2] ?? findOption(command, MESSAGE) ?? attempt.args?.message;
  if (typeof text !== 'string') return undefined;
  const message = commitSubject(text);
  return message === '' ? undefined : message;
}

/** What git prints of a new commit: `[main 1a2b3c4] Add a cache`, `[main (root-commit) 1a2b3c4] Start`. */
const COMMIT_HASH = /^\[[^\]\n]*\b([0-9a-f]{7,40})\] /m;

/** The beginning of the hash of the commit that a call made, as git printed it. */
export function findCommitHash({ result = '' }: Pick<Attempt, 'result'>): string | undefined {
  return COMMIT_HASH.exec(result)?.[1];
}

/** Files that a text names, with a line or a test behind them or not. */
export function findFileNames(text: string): readonly string[] {
  const found = new Set<string>();
  for (const [, name] of text.matchAll(
    /(?:^|[\s("'`])((?:[\w.@-]+\/)*[\w@-][\w.@-]*\.[a-zA-Z]\w{0,5})(?=[:(\s"'`)]|$)/gm,
  ))
    if (name !== undefined && name.length < 200) found.add(name.replace(/^\.\//, ''));
  return [...found];
}

const PULL_REQUEST = /\b(?:gh\s+pr|glab\s+mr)\s+create\b/;
const TITLE = new RegExp(`\\s(?:-t|--title)${ARGUMENT}`);

/** The title of the pull request that a call opened. */
export function findPullRequestTitle({
  command = '',
  outcome,
}: Pick<Attempt, 'command' | 'outcome'>): string | undefined {
  const start = outcome === 'success' ? command.search(PULL_REQUEST) : -1;
  const title = start < 0 ? '' : oneLine(findOption(command.slice(start), TITLE) ?? '', MAX_MESSAGE_LENGTH);
  return title === '' ? undefined : title;
}

function findOption(command: string, option: RegExp): string | undefined {
  const match = option.exec(command);
  return match?.[1]?.replace(/\\(["\\$`])/g, '$1') ?? match?.[2] ?? match?.[3];
}
