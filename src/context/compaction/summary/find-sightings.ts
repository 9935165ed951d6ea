import { errorLine } from '../../../memory/failure/error-line.ts';
import type { Turn } from '../../turns/turn.ts';
import type { Mark } from './mark.ts';
import { readTurn } from './read-turn.ts';
import type { CommandSighting, Ending, FileSighting, Sightings, Statement } from './sighting.ts';
import { decisionsIn, figuresIn, requestOf } from './statement-text.ts';
import { looksFailed } from './verdict-text.ts';

const MOST_OUTPUT_LINES = 200;
const MOST_STATEMENTS_PER_TURN = 8;
const LONGEST_COMMAND = 2_000;
const COLOURS = /\x1b\[[0-9;?]*[A-Za-z]/g;
/** A user turn that is what a tool answered: agents send results back in the user's name. */
const RESULT =
  /^\s*(?:<(?:[\w-]*(?:result|output|stdout|stderr|observation|response)[\w-]*)\b|[{[]\s*"(?:type"\s*:\s*"tool_result|tool_use_id|output|stdout|exit_code)|\[?(?:tool|function) (?:result|output)|(?:output|stdout|stderr|observation|exit code)\s*:)/i;

/** Reads turns and says what was run, changed, asked, decided and measured in them. */
export function findSightings(turns: readonly Turn[]): Sightings {
  const finder = new Finder();
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

class Finder {
  readonly #commands: CommandSighting[] = [];
  readonly #files: FileSighting[] = [];
  readonly #statements: Statement[] = [];
  #open: OpenCommand | undefined;

  read({ role, content }: Turn, turn: number): void {
    const asked = role === 'user' && !RESULT.test(content.slice(0, 200));
    if (asked) this.#ask(content, turn);
    // A command without any output yet may find it in the next turn.
    if (this.#open && (asked || this.#open.output.length > 0)) this.#close();
    const before = this.#statements.length;
    for (const mark of readTurn(content)) {
      // What a user says of files is what they want, not what was done.
      if (asked && mark.type === 'edit') this.#files.push({ path: mark.path, turn, edited: false });
      else this.#take(mark, turn, this.#statements.length - before < MOST_STATEMENTS_PER_TURN);
    }
  }

  end(turns: number): Sightings {
    this.#close();
    return { commands: this.#commands, files: this.#files, statements: this.#statements, turns };
  }

  #ask(content: string, turn: number): void {
    const text = requestOf(content);
    if (text !== '') this.#statements.push({ kind: 'request', text, turn });
  }

  #take(mark: Mark, turn: number, states: boolean): void {
    switch (mark.type) {
      case 'command':
        this.#close();
        this.#open = {
          text: mark.text.trim().slice(0, LONGEST_COMMAND),
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
    for (const text of decisionsIn(line)) this.#statements.push({ kind: 'decision', text, turn });
    for (const text of figuresIn(line)) this.#statements.push({ kind: 'figure', text, turn });
  }

  #print(line: string): void {
    if (!this.#open || this.#open.output.length >= MOST_OUTPUT_LINES) return;
    const text = (line.includes('\x1b') ? line.replace(COLOURS, '') : line).trim();
    if (text !== '') this.#open.output.push(text);
  }

  #close(): void {
    const open = this.#open;
    this.#open = undefined;
    if (!open || open.text === '') return;
    const ending = endingOf(open);
    const { text, turn, output } = open;
    this.#commands.push({
      text,
      turn,
      ending,
      errorLine: ending === 'failed' || ending === 'suspect' ? errorLine(output) : '',
    });
  }
}

function endingOf({ failed, output }: OpenCommand): Ending {
  if (failed !== undefined) return failed ? 'failed' : 'worked';
  if (output.some(looksFailed)) return 'suspect';
  return output.length > 0 ? 'worked' : 'unknown';
}
