import { type IPty, spawn } from '@lydell/node-pty';
import { expect, onTestFinished } from 'vitest';
import { environment, MAIN, type Place } from '../built/run-yore.ts';
import { Screen } from './screen.ts';

/** How a chat is started. */
export interface TerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
}

const LOOKS_EVERY_MS = 20;

/** `yore chat` on a pseudo-terminal: keys go in, and what a user would see can be read. */
export class TerminalChat {
  readonly screen: Screen;
  readonly exitCode: Promise<number>;
  readonly #pty: IPty;
  #drawn: Promise<void> = Promise.resolve();

  private constructor(pty: IPty, screen: Screen) {
    this.#pty = pty;
    this.screen = screen;
    pty.onData((data) => {
      this.#drawn = this.#drawn.then(() => screen.write(data));
    });
    this.exitCode = new Promise((resolve) => pty.onExit(({ exitCode }) => resolve(exitCode)));
  }

  /** Starts a chat that ends with the test. */
  static start(place: Place, args: readonly string[] = [], options: TerminalOptions = {}): TerminalChat {
    const { columns = 80, rows = 24, env = {} } = options;
    const pty = spawn(process.execPath, [MAIN, 'chat', ...args], {
      name: 'xterm-256color',
      cols: columns,
      rows,
      cwd: place.cwd,
      env: environment(place, { TERM: 'xterm-256color', LANG: 'C.UTF-8', ...env }),
    });
    const chat = new TerminalChat(pty, new Screen(columns, rows));
    onTestFinished(() => {
      try {
        pty.kill('SIGKILL');
      } catch {
        // It has ended by itself.
      }
    });
    return chat;
  }

  /** Presses keys. */
  type(keys: string): void {
    this.#pty.write(keys);
  }

  resize(columns: number, rows: number): void {
    this.screen.resize(columns, rows);
    this.#pty.resize(columns, rows);
  }

  kill(signal: string): void {
    this.#pty.kill(signal);
  }

  /** All that is on the screen now, and what has scrolled away. */
  async text(): Promise<string> {
    await this.#drawn;
    return this.screen.text();
  }

  /** Waits until the screen shows something. */
  async shows(text: string | RegExp): Promise<string> {
    await expect
      .poll(() => this.text(), { timeout: 15_000, interval: LOOKS_EVERY_MS })
      .toMatch(text instanceof RegExp ? text : new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')));
    return this.text();
  }
}

/** What terminals send for keys. */
export const KEYS = {
  enter: '\r',
  newLine: '\n',
  up: '\x1b[A',
  down: '\x1b[B',
  right: '\x1b[C',
  tab: '\t',
  backspace: '\x7f',
  ctrlC: '\x03',
  ctrlD: '\x04',
  pasteStart: '\x1b[200~',
  pasteEnd: '\x1b[201~',
} as const;
