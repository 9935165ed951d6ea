import { findErrorLine } from '../../../memory/failure/error-line.ts';
import { oneLine } from '../../../text/one-line.ts';
import type { Turn } from '../../turns/turn-list.ts';
import { looksFailed } from './commands.ts';
import type { TurnPart } from './json-calls.ts';
import { parseTurn } from './parse-turn.ts';

const MAX_COMMAND_OUTPUT_LINES = 200;
const MAX_STATEMENTS_PER_TURN = 8;
const MAX_COMMAND_LENGTH = 2_000;
const ANSI_COLOURS = /\x1b\[[0-9;?]*[A-Za-z]/g;
/** A user turn that is what a tool answered: agents send results back in the user's name. */
const TOOL_RESULT =
  /^\s*(?:<(?:[\w-]*(?:result|output|stdout|stderr|observation|response)[\w-]*)\b|[{[]\s*"(?:type"\s*:\s*"tool_result|tool_use_id|output|stdout|exit_code)|\[?(?:tool|function) (?:result|output)|(?:output|stdout|stderr|observation|exit code)\s*:)/i;

/** Reads turns and says what was run, changed, asked, decided and measured in them. */
export function findFacts(turns: readonly Turn[]): TurnFacts {
  const finder = new FactFinder();
  for (const [index, turn] of turns.entries()) finder.read(turn, index);
  return finder.end(turns.length);
}

interface OpenCommand {
  readonly text: string;
  readonly turn: number;
  readonly spoken: boolean;
  readonly output: string[];
  failed: boolean | undefined;
}

class FactFinder {
  readonly #commands: CommandRun[] = [];
  readonly #files: FileMention[] = [];
  readonly #statements: Statement[] = [];
  #open: OpenCommand | undefined;

  read({ role, content }: Turn, turn: number): void {
    const asked = role === 'user' && !TOOL_RESULT.test(content.slice(0, 200));
    if (asked) this.#ask(content, turn);
    // A command without any output yet may find it in the next turn.
    if (this.#open && (asked || this.#open.output.length > 0)) this.#close();
    const before = this.#statements.length;
    for (const mark of parseTurn(content)) {
      // What a user says of files is what they want, not what was done.
      if (asked && mark.type === 'edit') this.#files.push({ path: mark.path, turn, edited: false });
      else this.#take(mark, turn, this.#statements.length - before < MAX_STATEMENTS_PER_TURN);
    }
  }

  end(turns: number): TurnFacts {
    this.#close();
    return { commands: this.#commands, files: this.#files, statements: this.#statements, turns };
  }

  #ask(content: string, turn: number): void {
    const text = extractRequest(content);
    if (text !== '') this.#statements.push({ kind: 'request', text, turn });
  }

  #take(mark: TurnPart, turn: number, states: boolean): void {
    switch (mark.type) {
      case 'command':
        this.#close();
        this.#open = {
          text: mark.text.trim().slice(0, MAX_COMMAND_LENGTH),
          turn,
          spoken: mark.spoken === true,
          output: [],
          failed: undefined,
        };
        return;
      case 'edit':
      case 'seen':
        this.#files.push({ path: mark.path, turn, edited: mark.type === 'edit' });
        return;
      case 'verdict':
        if (this.#open) this.#open.failed ??= mark.failed;
        return;
      case 'prose':
        if (states) this.#state(mark.line, turn);
        if (this.#open?.spoken !== true) this.#print(mark.line);
        return;
      case 'output':
        this.#print(mark.line);
    }
  }

  #state(line: string, turn: number): void {
    for (const text of findDecisions(line)) this.#statements.push({ kind: 'decision', text, turn });
    for (const text of findFigures(line)) this.#statements.push({ kind: 'figure', text, turn });
  }

  #print(line: string): void {
    if (!this.#open || this.#open.output.length >= MAX_COMMAND_OUTPUT_LINES) return;
    const text = (line.includes('\x1b') ? line.replace(ANSI_COLOURS, '') : line).trim();
    if (text !== '') this.#open.output.push(text);
  }

  #close(): void {
    const open = this.#open;
    this.#open = undefined;
    if (!open || open.text === '') return;
    const ending = readEnding(open);
    const { text, turn, output } = open;
    this.#commands.push({
      text,
      turn,
      ending,
      errorLine: ending === 'failed' || ending === 'suspect' ? findErrorLine(output) : '',
    });
  }
}

function readEnding({ failed, output }: OpenCommand): Ending {
  if (failed !== undefined) return failed ? 'failed' : 'worked';
  if (output.some(looksFailed)) return 'suspect';
  return output.length > 0 ? 'worked' : 'unknown';
}

/** How a command ended, as far as the text tells: `suspect` when only its output looks like a failure. */
type Ending = 'worked' | 'failed' | 'suspect' | 'unknown';

/** A command that was run in a turn. */
export interface CommandRun {
  readonly text: string;
  readonly turn: number;
  readonly ending: Ending;
  /** The line that says what went wrong; empty when it did not fail. */
  readonly errorLine: string;
}

/** A file that was changed, or only spoken of, in a turn. */
export interface FileMention {
  readonly path: string;
  readonly turn: number;
  readonly edited: boolean;
}

/** Something that was said: what was asked, decided or measured. */
export interface Statement {
  readonly kind: 'request' | 'decision' | 'figure';
  readonly text: string;
  readonly turn: number;
}

/** Everything that was found in turns, in their order. */
export interface TurnFacts {
  readonly commands: readonly CommandRun[];
  readonly files: readonly FileMention[];
  readonly statements: readonly Statement[];
  readonly turns: number;
}

const MAX_REQUEST_LENGTH = 160;
const MAX_STATEMENT_LENGTH = 200;
const MAX_REQUEST_SCAN = 6_000;
const MIN_STATEMENT_LENGTH = 12;
const SENTENCE_END = /(?<=[.!?])\s+(?=[A-Z`"'])/;
const DECISION =
  /\b(?:decided|decision|chose|chosen|agreed|settled on|let's (?:use|go with|keep|stick|drop|not)|we(?:'ll| will| should| must) (?:use|keep|go with|not|never|always|stick|avoid|drop)|I(?:'ll| will) (?:use|keep|go with|stick|avoid)|instead of|rather than|must not|should not|never|always|prefer|don't|do not|make sure|from now on|the (?:cause|reason|problem|root cause) (?:is|was))\b/i;
/** A number with what it counts or names. */
const FIGURE =
  /\d[\d.,]*\s?(?:%|ms|s\b|seconds?|minutes?|min\b|[kMG]i?B\b|MB\/s|tokens?|lines?|tests?|files?|errors?|failures?|passed|failed|rows?|requests?|times|x\b|×)|\b(?:port|version|limit|timeout|v)\s?[:=]?\s?\d/i;
/** A line that somebody wrote begins like a sentence and has words in it. */
const SENTENCE = /^[\s>*#-]*(?:\*\*)?[A-Z`"'(][^|{}<>=]*$/;
/** Blocks that programs put into a prompt, and code. */
const EMBEDDED_BLOCK = /<([a-z][\w-]*)>[\s\S]{0,6000}?<\/\1>|```[\s\S]{0,6000}?(?:```|$)/g;

/** What a prompt asks, as one short line: its first sentences. */
function extractRequest(content: string): string {
  const text = content.slice(0, MAX_REQUEST_SCAN);
  const bare = text.replace(EMBEDDED_BLOCK, ' ').trim();
  return oneLine(bare === '' ? text : bare, MAX_REQUEST_LENGTH);
}

/** The decisions in a line: what was chosen, ruled out, or found to be the cause. */
function findDecisions(line: string): string[] {
  if (!DECISION.test(line.slice(0, 2_000)) || !SENTENCE.test(line)) return [];
  return splitSentences(line).filter((sentence) => DECISION.test(sentence));
}

/** The sentences of a line that hold a figure with its unit. */
function findFigures(line: string): string[] {
  if (!FIGURE.test(line.slice(0, 2_000)) || !SENTENCE.test(line)) return [];
  return splitSentences(line).filter((sentence) => FIGURE.test(sentence));
}

function splitSentences(line: string): string[] {
  return line
    .slice(0, 2_000)
    .split(SENTENCE_END)
    .map((sentence) => oneLine(sentence.replace(/^[\s>*#-]+/, ''), MAX_STATEMENT_LENGTH))
    .filter((sentence) => sentence.length >= MIN_STATEMENT_LENGTH && sentence.split(' ').length >= 5);
}
