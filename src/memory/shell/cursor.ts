import type { ListNode } from './tree.ts';

/** How deep constructs may nest before the rest of the text is left unread. */
const MAX_DEPTH = 100;

const BLANKS = /(?:[ \t\r]|\\\r?\n)+/y;

interface PendingHeredoc {
  readonly delimiter: string;
  readonly stripTabs: boolean;
  readonly into: string[];
}

/** Reads a list up to what closes it; the grammar hands it to the reader of words, which needs it for `$( )`. */
export type ListReader = (cursor: Cursor, closers: ReadonlySet<string>) => ListNode;

const NO_CLOSERS: ReadonlySet<string> = new Set();

/** The place in a text that is being read, and what is known of it so far. Reading only ever moves forward. */
export class Cursor {
  readonly text: string;
  readonly readList: ListReader;
  position = 0;
  /** False once something was found cut off, unbalanced or too deep. */
  complete = true;
  depth: number;
  /** How many `(` are open: a `)` outside of them closes nothing. */
  parentheses = 0;
  /** What the words read so far run by substitution; the reader of a command takes them. */
  substitutions: ListNode[] = [];
  /** No `))` closes the arithmetic that was looked for: looking again from further on is in vain. */
  arithmeticRunsOut = false;
  private readonly pending: PendingHeredoc[] = [];

  constructor(text: string, readList: ListReader, depth = 0) {
    this.text = text;
    this.readList = readList;
    this.depth = depth;
  }

  get ended(): boolean {
    return this.position >= this.text.length;
  }

  /** The character at the position, or one further on; empty past the end. */
  peek(ahead = 0): string {
    return this.text[this.position + ahead] ?? '';
  }

  startsWith(text: string): boolean {
    return this.text.startsWith(text, this.position);
  }

  /** Moves past what a sticky pattern matches here. */
  skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.position;
    if (!pattern.test(this.text)) return false;
    this.position = pattern.lastIndex;
    return true;
  }

  /** What a sticky pattern matches here, without moving. */
  match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.position;
    return pattern.exec(this.text);
  }

  /** Leaves the rest unread. */
  giveUp(): void {
    this.complete = false;
    this.position = this.text.length;
  }

  /** Runs a reader one level deeper, or gives up where the nesting is past all reason. */
  deeper(read: () => void): void {
    if (this.depth >= MAX_DEPTH) {
      this.giveUp();
      return;
    }
    this.depth += 1;
    read();
    this.depth -= 1;
  }

  /** Blanks and continued lines. */
  skipBlanks(): void {
    this.skip(BLANKS);
  }

  skipComment(): void {
    const end = this.text.indexOf('\n', this.position);
    this.position = end === -1 ? this.text.length : end;
  }

  /** Blanks, comments and newlines, with the heredocs that start after a newline. True when a newline was passed. */
  skipGaps(): boolean {
    let passed = false;
    for (;;) {
      this.skipBlanks();
      const next = this.peek();
      if (next === '#') this.skipComment();
      else if (next === '\n') {
        this.position += 1;
        passed = true;
        this.readHeredocs();
      } else return passed;
    }
  }

  /** The body of a heredoc follows the line it is named on. */
  awaitHeredoc(delimiter: string, stripTabs: boolean, into: string[]): void {
    this.pending.push({ delimiter, stripTabs, into });
  }

  /** Reads a list whose opening parenthesis has been passed, and its closing one. */
  readParenthesized(): ListNode {
    const outer = this.substitutions;
    let list: ListNode = { pipelines: [] };
    this.substitutions = [];
    this.parentheses += 1;
    this.deeper(() => {
      list = this.readList(this, NO_CLOSERS);
    });
    this.parentheses -= 1;
    this.substitutions = outer;
    if (this.peek() === ')') this.position += 1;
    else this.complete = false;
    return list;
  }

  /** To be called where the text ends: a heredoc still waiting for its body was cut off. */
  finish(): void {
    if (this.pending.length > 0) this.complete = false;
  }

  private readHeredocs(): void {
    for (const heredoc of this.pending.splice(0)) this.readHeredoc(heredoc);
  }

  private readHeredoc({ delimiter, stripTabs, into }: PendingHeredoc): void {
    const lines: string[] = [];
    while (!this.ended) {
      const end = this.text.indexOf('\n', this.position);
      const stop = end === -1 ? this.text.length : end;
      const raw = this.text.slice(this.position, stop);
      const line = stripTabs ? raw.replace(/^\t+/, '') : raw;
      if (line === delimiter || line === `${delimiter}\r`) {
        this.position = stop + 1;
        into.push(lines.join('\n'));
        return;
      }
      lines.push(line);
      this.position = end === -1 ? stop : stop + 1;
    }
    into.push(lines.join('\n'));
    this.complete = false;
  }
}
