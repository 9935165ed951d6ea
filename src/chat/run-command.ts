import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { CallResult } from '../memory/index.ts';

/** How a command is run. */
export interface RunOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Told of output as it comes, both streams in the order of arrival. */
  readonly onOutput?: (text: string) => void;
  /** Ends the command and what it started. */
  readonly signal?: AbortSignal;
}

/** A command that ended. */
export interface CommandResult extends CallResult {
  /** What it printed; the middle of a long output is left out. */
  readonly output: string;
}

/** The first and the last so many characters of an output are kept. */
const KEPT = 32 * 1024;
/** What gets SIGTERM and goes on is killed after this. */
const GRACE_MS = 2000;

/**
 * Runs a command line in the shell of the system, with nothing on its standard input. Never throws: a shell that cannot
 * be started is a command that failed.
 */
export function runCommand(command: string, options: RunOptions): Promise<CommandResult> {
  const startedAt = performance.now();
  const output = new BoundedText();
  const take = (data: string): void => {
    output.add(data);
    options.onOutput?.(data);
  };
  return new Promise((resolve) => {
    const child = spawn(command, {
      shell: true,
      cwd: options.cwd,
      env: options.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own: a command that is stopped takes what it started with it.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    let killing: NodeJS.Timeout | undefined;
    const stop = (): void => {
      signalGroup(child.pid, 'SIGTERM');
      killing = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), GRACE_MS);
    };
    if (options.signal?.aborted === true) stop();
    options.signal?.addEventListener('abort', stop, { once: true });
    const end = (result: Pick<CommandResult, 'status'> & { readonly exitCode?: number }): void => {
      options.signal?.removeEventListener('abort', stop);
      clearTimeout(killing);
      resolve({
        ...result,
        output: output.text(),
        durationMs: Math.round(performance.now() - startedAt),
      });
    };
    child.stdout.setEncoding('utf8').on('data', take);
    child.stderr.setEncoding('utf8').on('data', take);
    child.once('error', (error) => {
      take(`${error.message}\n`);
      end({ status: 'error' });
    });
    child.once('close', (code, signal) => {
      if (options.signal?.aborted === true) return end({ status: 'interrupted' });
      const exitCode = code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
      end({ status: exitCode === 0 ? 'ok' : 'error', exitCode });
    });
  });
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // It has ended by itself.
  }
}

/** Text of any length in bounded memory: its beginning and its end. */
class BoundedText {
  #head = '';
  #tail = '';
  #dropped = 0;

  add(text: string): void {
    const room = KEPT - this.#head.length;
    this.#head += text.slice(0, Math.max(0, room));
    this.#tail += text.slice(Math.max(0, room));
    if (this.#tail.length <= 2 * KEPT) return;
    this.#dropped += this.#tail.length - KEPT;
    this.#tail = this.#tail.slice(-KEPT);
  }

  text(): string {
    const over = Math.max(0, this.#tail.length - KEPT);
    const dropped = this.#dropped + over;
    if (dropped === 0) return this.#head + this.#tail;
    return `${this.#head}\n[${dropped} characters left out]\n${this.#tail.slice(over)}`;
  }
}
