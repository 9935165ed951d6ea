import { emitKeypressEvents } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';
import { sanitiseLine } from '../../output/sanitise.ts';
import type { Style } from '../../output/style.ts';
import type { Symbols } from '../../output/symbols.ts';
import { displayWidth, truncate, wrap } from '../../output/width.ts';
import type { Key } from '../../picker/picker-state.ts';
import { type EditorSources, type EditorState, EMPTY_EDITOR, editorOf, pressKey } from './editor-state.ts';
import { type View, viewEditor } from './editor-view.ts';
import { LiveScreen } from './live-screen.ts';

/** What a {@link Prompter} works on. */
export interface PrompterOptions {
  readonly input: ReadStream;
  readonly output: WriteStream;
  readonly style: Style;
  readonly symbols: Symbols;
  readonly sources: EditorSources;
}

/** What the user did at the input line. */
export type Entered =
  | { readonly kind: 'text'; readonly text: string }
  /** Ctrl-C on an empty line. */
  | { readonly kind: 'interrupt' }
  /** Ctrl-D on an empty line, or the terminal is gone. */
  | { readonly kind: 'leave' };

const PASTE_ON = '\x1b[?2004h';
const PASTE_OFF = '\x1b[?2004l';
/** Whoever pressed a key so shortly before is in the middle of a word. */
const WRITING_MS = 700;
const NO_SUGGESTIONS: EditorSources = { prompts: () => [], suggest: () => [] };

/** Who gets the next key. */
type Waiting =
  | { readonly kind: 'reading'; readonly sources: EditorSources; readonly done: (entered: Entered) => void }
  | { readonly kind: 'asking'; readonly keys: string; readonly done: (key: string) => void }
  /** Something runs: keys go on editing the line, and only Ctrl-C is acted on. */
  | { readonly kind: 'busy'; readonly interrupt: () => void };

/**
 * The lower end of a chat in the terminal: an input line with suggestions, a line of status below it, and above it what
 * is being said. Keys are read all the time; what is typed while something runs is there when it ends.
 */
export class Prompter {
  readonly #options: PrompterOptions;
  readonly #screen: LiveScreen;
  #state: EditorState = EMPTY_EDITOR;
  #waiting: Waiting = { kind: 'busy', interrupt: () => undefined };
  #status = '';
  #partial = '';
  #question = '';
  /** What was entered while something ran: it is read next. */
  #queue: string[] = [];
  /** When a key of a text that is not sent yet was pressed last. */
  #wroteAt: number = Number.NEGATIVE_INFINITY;
  /** Ctrl-D was pressed while something ran: that is waited for. */
  #wantsToLeave = false;
  #isGone = false;
  #isClosed = false;

  constructor(options: PrompterOptions) {
    const { input, output } = options;
    this.#options = options;
    this.#screen = new LiveScreen({
      write: (text) => void output.write(text),
      columns: () => output.columns || 80,
      rows: () => output.rows || 24,
    });
    // A lone Esc is told from the start of a sequence by the time that passes after it.
    emitKeypressEvents(input, { escapeCodeTimeout: 50 } as never);
    this.#takeHold();
  }

  /** Waits for what the user enters. */
  read(): Promise<Entered> {
    return this.#read(this.#options.sources);
  }

  /** Lets the user change a text; undefined when they leave it. */
  async edit(text: string): Promise<string | undefined> {
    const draft = this.#state;
    this.#state = editorOf(text);
    const entered = await this.#read(NO_SUGGESTIONS);
    this.#state = draft;
    return entered.kind === 'text' ? entered.text : undefined;
  }

  /** Asks a question that is answered with one of `keys`. Ctrl-C, Ctrl-D and Esc answer with the last one. */
  async ask(question: string, keys: string): Promise<string> {
    const refusal = keys.at(-1) ?? '';
    if (this.#isGone || this.#wantsToLeave) return refusal;
    this.#question = question;
    const key = await new Promise<string>((done) => {
      this.#waiting = { kind: 'asking', keys, done };
      this.#draw();
    });
    this.#question = '';
    this.#beBusy();
    return key === '' ? refusal : key;
  }

  /** Runs something during which Ctrl-C calls `interrupt`. */
  async during<T>(job: Promise<T>, interrupt: () => void): Promise<T> {
    this.#waiting = { kind: 'busy', interrupt };
    this.#draw();
    try {
      return await job;
    } finally {
      this.#beBusy();
    }
  }

  /** Prints whole lines above the input. */
  print(text: string): void {
    this.#screen.print(text, this.#view());
  }

  /** Shows the end of what is being said, which is not a whole line yet. */
  setPartial(text: string, printed = ''): void {
    this.#partial = text;
    this.#screen.print(printed, this.#view());
  }

  /** Changes the line below the input. */
  setStatus(text: string): void {
    if (text === this.#status) return;
    this.#status = text;
    this.#draw();
  }

  /** Puts a text into the input line, as if it had been typed. */
  setText(text: string): void {
    this.#state = editorOf(text);
    this.#draw();
  }

  /** Lets something else use the terminal for a while. */
  async aside<T>(job: () => Promise<T>): Promise<T> {
    this.#screen.clear();
    this.#letGo();
    try {
      return await job();
    } finally {
      this.#takeHold();
      this.#draw();
    }
  }

  /** Gives the terminal back as it was. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#screen.clear();
    this.#letGo();
    this.#options.input.pause();
  }

  #takeHold(): void {
    const { input, output } = this.#options;
    input.setRawMode(true);
    input.on('keypress', this.#onKey).on('end', this.#onEnd).resume();
    output.on('resize', this.#redraw);
    output.write(PASTE_ON);
  }

  #letGo(): void {
    const { input, output } = this.#options;
    input.off('keypress', this.#onKey).off('end', this.#onEnd);
    output.off('resize', this.#redraw);
    output.write(PASTE_OFF);
    input.setRawMode(false);
  }

  #read(sources: EditorSources): Promise<Entered> {
    if (this.#isGone || this.#wantsToLeave) return Promise.resolve({ kind: 'leave' });
    const next = sources === NO_SUGGESTIONS ? undefined : this.#queue.shift();
    if (next !== undefined) return Promise.resolve({ kind: 'text', text: next });
    return new Promise((resolve) => {
      const done = (entered: Entered): void => {
        this.#beBusy();
        resolve(entered);
      };
      this.#waiting = { kind: 'reading', sources, done };
      this.#draw();
    });
  }

  #beBusy(): void {
    this.#waiting = { kind: 'busy', interrupt: () => undefined };
  }

  readonly #onEnd = (): void => {
    this.#isGone = true;
    const waiting = this.#waiting;
    if (waiting.kind === 'reading') waiting.done({ kind: 'leave' });
    else if (waiting.kind === 'asking') waiting.done('');
    else waiting.interrupt();
  };

  readonly #onKey = (text: string | undefined, pressed: Key): void => {
    const key = { ...pressed, text };
    const waiting = this.#waiting;
    if (waiting.kind === 'asking') this.#answer(waiting, key);
    else if (waiting.kind === 'busy' && key.ctrl && key.name === 'c') this.#interrupt(waiting.interrupt);
    else {
      if (isWriting(key)) this.#wroteAt = performance.now();
      this.#type(key, waiting.kind === 'reading' ? waiting : undefined);
    }
  };

  /** A question may appear while somebody writes: the "y" of a word must not be taken for a yes. */
  #answer({ keys, done }: Extract<Waiting, { kind: 'asking' }>, key: Key): void {
    const now = performance.now();
    const pressed = key.text?.toLowerCase() ?? '';
    const isAnswer = pressed !== '' && keys.includes(pressed) && now - this.#wroteAt >= WRITING_MS;
    if (key.name === 'escape' || (key.ctrl && (key.name === 'c' || key.name === 'd'))) done('');
    else if (isAnswer) done(pressed);
    else if (isWriting(key)) this.#wroteAt = now;
  }

  #type(key: Key, reading: Extract<Waiting, { kind: 'reading' }> | undefined): void {
    const step = pressKey(this.#state, key, reading?.sources ?? NO_SUGGESTIONS);
    if (step.kind === 'clear screen') {
      this.#screen.clearScreen();
    } else if (step.kind === 'go on') {
      this.#state = step.state;
      // What is pasted comes in thousands of keys and is drawn once.
      if (step.state.pasted === undefined) this.#draw();
    } else if (step.kind !== 'submit') {
      if (reading === undefined) this.#wantsToLeave = step.kind === 'leave';
      else reading.done(step);
    } else {
      this.#wroteAt = Number.NEGATIVE_INFINITY;
      this.#state = EMPTY_EDITOR;
      if (reading === undefined) this.#queue.push(step.text);
      else reading.done({ kind: 'text', text: step.text });
      this.#draw();
    }
  }

  /** What waits for the end of what is interrupted is not to be done any more; it is there to be changed. */
  #interrupt(interrupt: () => void): void {
    if (this.#queue.length > 0)
      this.#state = editorOf([...this.#queue, this.#state.buffer.text].join('\n').trim());
    this.#queue = [];
    interrupt();
    this.#draw();
  }

  #draw(): void {
    this.#screen.show(this.#view());
  }

  readonly #redraw = (): void => {
    this.#screen.redraw(this.#view());
  };

  #view(): View {
    const { output, style, symbols } = this.#options;
    const columns = output.columns || 80;
    const rows = output.rows || 24;
    const partial = this.#partial === '' ? [] : wrap(this.#partial, columns).slice(-Math.max(1, rows - 4));
    const status = this.#status === '' ? [] : [style.dim(truncate(this.#status, columns, symbols.ellipsis))];
    if (this.#waiting.kind === 'asking') {
      const question = wrap(this.#question, columns - 1);
      const last = question.at(-1) ?? '';
      const lines = [...partial, ...question, ...status];
      const row = partial.length + question.length - 1;
      return { lines, cursor: { row, column: Math.min(columns - 1, displayWidth(last) + 1) } };
    }
    const queued = this.#queue.map((text) =>
      style.dim(truncate(`  next: ${sanitiseLine(text)}`, columns, symbols.ellipsis)),
    );
    const editor = viewEditor(this.#state, {
      columns,
      rows: rows - partial.length - queued.length - status.length,
      style,
      symbols,
    });
    const { row, column } = editor.cursor;
    return {
      lines: [...partial, ...queued, ...editor.lines, ...status],
      cursor: { row: row + partial.length + queued.length, column },
    };
  }
}

function isWriting({ text, ctrl, meta }: Key): boolean {
  return text !== undefined && !ctrl && !meta && /[^\x00-\x1f\x7f-\x9f]/.test(text);
}
