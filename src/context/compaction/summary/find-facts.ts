import { findErrorLine } from '../../../facts/failure/error-line.ts';
import { oneLine } from '../../../text/one-line.ts';
import type { Turn } from '../../message.ts';
import { looksFailed } from './commands.ts';
import type { TurnPart } from './json-calls.ts';
import { parseTurn } from './parse-turn.ts';

/** How a command ended, as far as the text tells: `suspect` if only its output looks like a failure. */
type CommandOutcome = 'worked' | 'failed' | 'suspect' | 'unknown';

/** A command that was run in a turn. */
export interface RanCommand {
  readonly text: string;
  readonly turn: number;
  readonly outcome: CommandOutcome;
  /** The line that says what went wrong; empty if it did not fail. */
  readonly errorLine: string;
}

/** A file that was edited or mentioned in a turn. */
export interface FileMention {
  readonly path: string;
  readonly turn: number;
  readonly isEdited: boolean;
}

/** A request, a decision or a figure. */
export interface FoundStatement {
  readonly kind: 'request' | 'decision' | 'figure';
  readonly text: string;
  readonly turn: number;
}

/** Everything that was found in a number of turns, in order. */
export interface TurnFacts {
  readonly commands: readonly RanCommand[];
  readonly files: readonly FileMention[];
  readonly statements: readonly FoundStatement[];
  readonly turns: number;
}

const MAX_COMMAND_OUTPUT_LINES = 200;
const MAX_STATEMENTS_PER_TURN = 8;
const MAX_COMMAND_LENGTH = 2_000;
const ANSI_COLOURS = /\x1b\[[0-9;?]*[A-Za-z]/g;
/** A user turn that is a tool result: agents send results back in the user's name. */
const TOOL_RESULT =
  /^\s*(?:<(?:[\w-]*(?:result|output|stdout|stderr|observation|response)[\w-]*)\b|[{[]\s*"(?:type"\s*:\s*"tool_result|tool_use_id|output|stdout|exit_code)|\[?(?:tool|function) (?:result|output)|(?:output|stdout|stderr|observation|exit code)\s*:)/i;

/** Finds what was run, edited, requested, decided and measured in turns. */
export function findFacts(turns: readonly Turn[]): TurnFacts {
  const finder = new FactFinder();
  for (const [index, turn] of turns.entries()) finder.read(turn, index);
  return finder.end(turns.length);
}

/** A command whose output is being read. */
interface OpenCommand {
  readonly text: string;
  readonly turn: number;
  readonly isQuoted: boolean;
  readonly output: string[];
  failed: boolean | undefined;
}

class FactFinder {
  readonly #commands: RanCommand[] = [];
  readonly #files: FileMention[] = [];
  readonly #statements: FoundStatement[] = [];
  #open: OpenCommand | undefined;

  read({ role, content }: Turn, turn: number): void {
    const isRequest = role === 'user' && !TOOL_RESULT.test(content.slice(0, 200));
    if (isRequest) this.#addRequest(content, turn);
    // The output of a command may be in the next turn.
    if (this.#open && (isRequest || this.#open.output.length > 0)) this.#closeCommand();
    const before = this.#statements.length;
    for (const part of parseTurn(content)) {
      // What a user says about files is a wish, not an edit.
      if (isRequest && part.type === 'edit') this.#files.push({ path: part.path, turn, isEdited: false });
      else this.#add(part, turn, this.#statements.length - before < MAX_STATEMENTS_PER_TURN);
    }
  }

  end(turns: number): TurnFacts {
    this.#closeCommand();
    return { commands: this.#commands, files: this.#files, statements: this.#statements, turns };
  }

  #addRequest(content: string, turn: number): void {
    const text = extractRequest(content);
    if (text !== '') this.#statements.push({ kind: 'request', text, turn });
  }

  #add(part: TurnPart, turn: number, hasRoomForStatements: boolean): void {
    switch (part.type) {
      case 'command':
        this.#closeCommand();
        this.#open = {
          text: part.text.trim().slice(0, MAX_COMMAND_LENGTH),
          turn,
          isQuoted: part.isQuoted === true,
          output: [],
          failed: undefined,
        };
        return;
      case 'edit':
      case 'mention':
        this.#files.push({ path: part.path, turn, isEdited: part.type === 'edit' });
        return;
      case 'outcome':
        if (this.#open) this.#open.failed ??= part.failed;
        return;
      case 'prose':
        if (hasRoomForStatements) this.#addStatements(part.line, turn);
        if (this.#open?.isQuoted !== true) this.#addOutput(part.line);
        return;
      case 'output':
        this.#addOutput(part.line);
    }
  }

  #addStatements(line: string, turn: number): void {
    for (const text of findSentences(line, DECISION)) this.#statements.push({ kind: 'decision', text, turn });
    for (const text of findSentences(line, FIGURE)) this.#statements.push({ kind: 'figure', text, turn });
  }

  #addOutput(line: string): void {
    if (!this.#open || this.#open.output.length >= MAX_COMMAND_OUTPUT_LINES) return;
    const text = (line.includes('\x1b') ? line.replace(ANSI_COLOURS, '') : line).trim();
    if (text !== '') this.#open.output.push(text);
  }

  #closeCommand(): void {
    const open = this.#open;
    this.#open = undefined;
    if (!open || open.text === '') return;
    const outcome = judge(open);
    const { text, turn, output } = open;
    const errorLine = outcome === 'failed' || outcome === 'suspect' ? findErrorLine(output) : '';
    this.#commands.push({ text, turn, outcome, errorLine });
  }
}

function judge({ failed, output }: OpenCommand): CommandOutcome {
  if (failed !== undefined) return failed ? 'failed' : 'worked';
  if (output.some(looksFailed)) return 'suspect';
  return output.length > 0 ? 'worked' : 'unknown';
}

const MAX_REQUEST_LENGTH = 160;
const MAX_REQUEST_SCAN = 6_000;
/** Blocks that programs insert into a prompt, and code. */
const EMBEDDED_BLOCK = /<([a-z][\w-]*)>[\s\S]{0,6000}?<\/\1>|```[\s\S]{0,6000}?(?:```|$)/g;

/** The first sentences of a prompt as one short line. */
function extractRequest(content: string): string {
  const text = content.slice(0, MAX_REQUEST_SCAN);
  const bare = text.replace(EMBEDDED_BLOCK, ' ').trim();
  return oneLine(bare === '' ? text : bare, MAX_REQUEST_LENGTH);
}

const MAX_STATEMENT_LENGTH = 200;
const MIN_STATEMENT_LENGTH = 12;
const MIN_STATEMENT_WORDS = 5;
const MAX_STATEMENT_SCAN = 2_000;
/** What was chosen, ruled out, or found to be the cause. */
const DECISION =
  /\b(?:decided|decision|chose|chosen|agreed|settled on|let's (?:use|go with|keep|stick|drop|not)|we(?:'ll| will| should| must) (?:use|keep|go with|not|never|always|stick|avoid|drop)|I(?:'ll| will) (?:use|keep|go with|stick|avoid)|instead of|rather than|must not|should not|never|always|prefer|don't|do not|make sure|from now on|the (?:cause|reason|problem|root cause) (?:is|was))\b/i;
/** A number with its unit or name. */
const FIGURE =
  /\d[\d.,]*\s?(?:%|ms|s\b|seconds?|minutes?|min\b|[kMG]i?B\b|MB\/s|tokens?|lines?|tests?|files?|errors?|failures?|passed|failed|rows?|requests?|times|x\b|×)|\b(?:port|version|limit|timeout|v)\s?[:=]?\s?\d/i;
const SENTENCE_END = /(?<=[.!?])\s+(?=[A-Z`"'])/;
/** A line of prose: starts like a sentence and has no code punctuation. */
const PROSE_LINE = /^[\s>*#-]*(?:\*\*)?[A-Z`"'(][^|{}<>=]*$/;

/** The sentences of a prose line that match a pattern. */
function findSentences(line: string, pattern: RegExp): string[] {
  const text = line.slice(0, MAX_STATEMENT_SCAN);
  if (!pattern.test(text) || !PROSE_LINE.test(line)) return [];
  return text
    .split(SENTENCE_END)
    .map((sentence) => oneLine(sentence.replace(/^[\s>*#-]+/, ''), MAX_STATEMENT_LENGTH))
    .filter((sentence) => sentence.length >= MIN_STATEMENT_LENGTH && sentence.split(' ').length >= MIN_STATEMENT_WORDS)
    .filter((sentence) => pattern.test(sentence));
}
