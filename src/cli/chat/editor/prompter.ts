import { emitKeypressEvents } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';
import { sanitiseLine } from '../../output/sanitise.ts';
import type { Style, Symbols } from '../../output/terminal.ts';
import { displayWidth, truncate, wrap } from '../../output/width.ts';
import type { Key } from '../../picker.ts';
import { createEditor, type EditorSources, type EditorState, EMPTY_EDITOR, pressKey } from './editor-state.ts';
import { type EditorView, viewEditor } from './editor-view.ts';
import { LiveScreen } from './live-screen.ts';

interface PrompterOptions {
  readonly input: ReadStream;
  readonly output: WriteStream;
  readonly style: Style;
  readonly symbols: Symbols;
  readonly sources: EditorSources;
}

/** What the user did at the input line. */
export type UserInput =
  | { readonly kind: 'text'; readonly text: string }
  /** Ctrl-C on an empty line. */
  | { readonly kind: 'interrupt' }
  /** Ctrl-D on an empty line, or the terminal is gone. */
  | { readonly kind: 'leave' };

const PASTE_ON = '\x1b[?2004h';
const PASTE_OFF = '\x1b[?2004l';
/** A key pressed within this time after another belongs to a word being typed. */
const TYPING_MS = 700;
const NO_SUGGESTIONS: EditorSources = { prompts: () => [], suggest: () => [] };

/** What the next key is for. */
type Mode =
  | { readonly kind: 'reading'; readonly sources: EditorSources; readonly done: (input: UserInput) => void }
  | { readonly kind: 'asking'; readonly keys: string; readonly done: (key: string) => void }
  /** A job runs: keys edit the line, and only Ctrl-C acts at once. */
  | { readonly kind: 'busy'; readonly interrupt: () => void };

/**
 * The bottom of a chat in the terminal: the reply being streamed, an input line with suggestions, and a status line. Keys
 * are read all the time; what is entered while a job runs is queued.
 */
export class Prompter {
  readonly #options: PrompterOptions;
  readonly #screen: LiveScreen;
  #state: EditorState = EMPTY_EDITOR;
  #mode: Mode = { kind: 'busy', interrupt: () => undefined };
  #status = '';
  #partial = '';
  #question = '';
  /** Texts entered while a job ran; they are read next. */
  #queue: string[] = [];
  /** When the last key of an unsent text was pressed. */
  #typedAt: number = Number.NEGATIVE_INFINITY;
  /** Ctrl-D was pressed while a job ran, which is finished first. */
  #wantsToLeave = false;
  /** Whether the terminal is gone. */
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
    // A lone Esc is told from the start of an escape sequence by a timeout.
    emitKeypressEvents(input, { escapeCodeTimeout: 50 } as never);
    this.#attach();
  }

  /** Resolves to the next input of the user. */
  read(): Promise<UserInput> {
    return this.#read(this.#options.sources);
  }

  /** Lets the user edit a text; undefined if they cancel. */
  async edit(text: string): Promise<string | undefined> {
    const draft = this.#state;
    this.#state = createEditor(text);
    const input = await this.#read(NO_SUGGESTIONS);
    this.#state = draft;
    return input.kind === 'text' ? input.text : undefined;
  }

  /** Asks a question to be answered with one of `keys`. Ctrl-C, Ctrl-D and Esc mean the last one. */
  async ask(question: string, keys: string): Promise<string> {
    const refusal = keys.at(-1) ?? '';
    if (this.#isGone || this.#wantsToLeave) return refusal;
    this.#question = question;
    const key = await new Promise<string>((done) => {
      this.#mode = { kind: 'asking', keys, done };
      this.#draw();
    });
    this.#question = '';
    this.#setBusy();
    return key === '' ? refusal : key;
  }

  /** Waits for a job, during which Ctrl-C calls `interrupt`. */
  async during<T>(job: Promise<T>, interrupt: () => void): Promise<T> {
    this.#mode = { kind: 'busy', interrupt };
    this.#draw();
    try {
      return await job;
    } finally {
      this.#setBusy();
    }
  }

  /** Prints whole lines above the input. */
  print(text: string): void {
    this.#screen.print(text, this.#view());
  }

  /** Shows the incomplete last line of the reply; `printed` are the lines completed before it. */
  setPartial(text: string, printed = ''): void {
    this.#partial = text;
    this.#screen.print(printed, this.#view());
  }

  /** Sets the line below the input. */
  setStatus(text: string): void {
    if (text === this.#status) return;
    this.#status = text;
    this.#draw();
  }

  /** Replaces the text of the input line. */
  setText(text: string): void {
    this.#state = createEditor(text);
    this.#draw();
  }

  /** Hands the terminal over to `job` while it runs. */
  async suspend<T>(job: () => Promise<T>): Promise<T> {
    this.#screen.clear();
    this.#detach();
    try {
      return await job();
    } finally {
      this.#attach();
      this.#draw();
    }
  }

  /** Restores the terminal. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#screen.clear();
    this.#detach();
    this.#options.input.pause();
  }

  #attach(): void {
    const { input, output } = this.#options;
    input.setRawMode(true);
    input.on('keypress', this.#onKey).on('end', this.#onEnd).resume();
    output.on('resize', this.#redraw);
    output.write(PASTE_ON);
  }

  #detach(): void {
    const { input, output } = this.#options;
    input.off('keypress', this.#onKey).off('end', this.#onEnd);
    output.off('resize', this.#redraw);
    output.write(PASTE_OFF);
    input.setRawMode(false);
  }

  #read(sources: EditorSources): Promise<UserInput> {
    if (this.#isGone || this.#wantsToLeave) return Promise.resolve({ kind: 'leave' });
    const next = sources === NO_SUGGESTIONS ? undefined : this.#queue.shift();
    if (next !== undefined) return Promise.resolve({ kind: 'text', text: next });
    return new Promise((resolve) => {
      const done = (input: UserInput): void => {
        this.#setBusy();
        resolve(input);
      };
      this.#mode = { kind: 'reading', sources, done };
      this.#draw();
    });
  }

  #setBusy(): void {
    this.#mode = { kind: 'busy', interrupt: () => undefined };
  }

  readonly #onEnd = (): void => {
    this.#isGone = true;
    const mode = this.#mode;
    if (mode.kind === 'reading') mode.done({ kind: 'leave' });
    else if (mode.kind === 'asking') mode.done('');
    else mode.interrupt();
  };

  readonly #onKey = (text: string | undefined, pressed: Key): void => {
    const key = { ...pressed, text };
    const mode = this.#mode;
    if (mode.kind === 'asking') this.#answer(mode, key);
    else if (mode.kind === 'busy' && key.ctrl && key.name === 'c') this.#interrupt(mode.interrupt);
    else {
      if (isTyping(key)) this.#typedAt = performance.now();
      this.#type(key, mode.kind === 'reading' ? mode : undefined);
    }
  };

  /** A question may appear while the user types: the "y" of a word must not count as a yes. */
  #answer({ keys, done }: Extract<Mode, { kind: 'asking' }>, key: Key): void {
    const now = performance.now();
    const pressed = key.text?.toLowerCase() ?? '';
    const isAnswer = pressed !== '' && keys.includes(pressed) && now - this.#typedAt >= TYPING_MS;
    if (key.name === 'escape' || (key.ctrl && (key.name === 'c' || key.name === 'd'))) done('');
    else if (isAnswer) done(pressed);
    else if (isTyping(key)) this.#typedAt = now;
  }

  #type(key: Key, reading: Extract<Mode, { kind: 'reading' }> | undefined): void {
    const step = pressKey(this.#state, key, reading?.sources ?? NO_SUGGESTIONS);
    if (step.kind === 'clear screen') {
      this.#screen.clearScreen();
    } else if (step.kind === 'continue') {
      this.#state = step.state;
      // A paste arrives as thousands of keys; it is drawn once.
      if (step.state.pasted === undefined) this.#draw();
    } else if (step.kind !== 'submit') {
      if (reading === undefined) this.#wantsToLeave = step.kind === 'leave';
      else reading.done(step);
    } else {
      this.#typedAt = Number.NEGATIVE_INFINITY;
      this.#state = EMPTY_EDITOR;
      if (reading === undefined) this.#queue.push(step.text);
      else reading.done({ kind: 'text', text: step.text });
      this.#draw();
    }
  }

  /** Queued texts go back into the input line instead of being sent. */
  #interrupt(interrupt: () => void): void {
    if (this.#queue.length > 0) this.#state = createEditor([...this.#queue, this.#state.buffer.text].join('\n').trim());
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

  #view(): EditorView {
    const { output, style, symbols } = this.#options;
    const columns = output.columns || 80;
    const rows = output.rows || 24;
    const partial = this.#partial === '' ? [] : wrap(this.#partial, columns).slice(-Math.max(1, rows - 4));
    const status = this.#status === '' ? [] : [style.dim(truncate(this.#status, columns, symbols.ellipsis))];
    if (this.#mode.kind === 'asking') {
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

function isTyping({ text, ctrl, meta }: Key): boolean {
  return text !== undefined && !ctrl && !meta && /[^\x00-\x1f\x7f-\x9f]/.test(text);
}
