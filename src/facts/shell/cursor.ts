import type { ListNode } from './tree.ts';

/** Deeper nesting stops the parser: the rest of the text is left unread. */
const MAX_DEPTH = 100;

const BLANKS = /(?:[ \t\r]|\\\r?\n)+/y;

interface PendingHeredoc {
  readonly delimiter: string;
  readonly stripTabs: boolean;
  readonly into: string[];
}

/** Reads a list up to one of its closers. Passed in by the parser, because reading words needs it for `$( )`. */
export type ListReader = (cursor: Cursor, closers: ReadonlySet<string>) => ListNode;

const NO_CLOSERS: ReadonlySet<string> = new Set();

/** A position in the text that is being parsed, with the parser's state. It only ever moves forward. */
export class Cursor {
  readonly text: string;
  readonly readList: ListReader;
  position = 0;
  /** False as soon as something is truncated, unbalanced or nested too deeply. */
  complete = true;
  depth: number;
  /** Number of open `(`. At 0 a `)` closes nothing. */
  parentheses = 0;
  /** Substitutions in the words read so far; collected into the command that is being read. */
  substitutions: ListNode[] = [];
  /** A search for `))` reached the end of the text, so a later one would too. Keeps parsing linear. */
  arithmeticUnclosed = false;
  private readonly pending: PendingHeredoc[] = [];

  constructor(text: string, readList: ListReader, depth = 0) {
    this.text = text;
    this.readList = readList;
    this.depth = depth;
  }

  get ended(): boolean {
    return this.position >= this.text.length;
  }

  /** The character at the position, or `ahead` characters later; empty past the end. */
  peek(ahead = 0): string {
    return this.text[this.position + ahead] ?? '';
  }

  startsWith(text: string): boolean {
    return this.text.startsWith(text, this.position);
  }

  /** Advances past a match of a sticky pattern at the position. */
  skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.position;
    if (!pattern.test(this.text)) return false;
    this.position = pattern.lastIndex;
    return true;
  }

  /** Matches a sticky pattern at the position without advancing. */
  match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.position;
    return pattern.exec(this.text);
  }

  /** Skips the rest of the text as unreadable. */
  giveUp(): void {
    this.complete = false;
    this.position = this.text.length;
  }

  /** Runs a reader one level deeper, or gives up beyond the maximum depth. */
  nest(read: () => void): void {
    if (this.depth >= MAX_DEPTH) {
      this.giveUp();
      return;
    }
    this.depth += 1;
    read();
    this.depth -= 1;
  }

  /** Skips blanks and line continuations. */
  skipBlanks(): void {
    this.skip(BLANKS);
  }

  skipComment(): void {
    const end = this.text.indexOf('\n', this.position);
    this.position = end === -1 ? this.text.length : end;
  }

  /** Skips blanks, comments and newlines, and reads the heredocs due after a newline. Returns whether there was one. */
  skipLineBreaks(): boolean {
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

  /** Announces a heredoc, whose body follows the current line. */
  expectHeredoc(delimiter: string, stripTabs: boolean, into: string[]): void {
    this.pending.push({ delimiter, stripTabs, into });
  }

  /** Reads a list up to and including its closing parenthesis. The opening one has been read. */
  readParenthesized(): ListNode {
    const outer = this.substitutions;
    let list: ListNode = { pipelines: [] };
    this.substitutions = [];
    this.parentheses += 1;
    this.nest(() => {
      list = this.readList(this, NO_CLOSERS);
    });
    this.parentheses -= 1;
    this.substitutions = outer;
    if (this.peek() === ')') this.position += 1;
    else this.complete = false;
    return list;
  }

  /** Must be called at the end of the text: detects a heredoc without a body. */
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
