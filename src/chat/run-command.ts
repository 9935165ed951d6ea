import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { CallResult } from '../facts/call/tool-call.ts';

/** Options of {@link runCommand}. */
export interface RunOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Called with output as it arrives, both streams interleaved. */
  readonly onOutput?: (text: string) => void;
  /** Stops the command and its child processes. */
  readonly signal?: AbortSignal;
}

/** The result of a command. */
export interface CommandResult extends CallResult {
  /** What it printed; the middle of a long output is left out. */
  readonly output: string;
}

/** How many characters are kept of the beginning and of the end of an output. */
const KEPT_CHARACTERS = 32 * 1024;
/** How long a command may take to end after SIGTERM before it is killed. */
const GRACE_MS = 2000;

/**
 * Runs a command line in the system's shell with an empty standard input. Never throws: a shell that cannot be started
 * counts as a failed command.
 */
export function runCommand(command: string, options: RunOptions): Promise<CommandResult> {
  const startedAt = performance.now();
  const output = new BoundedText();
  const addOutput = (data: string): void => {
    output.add(data);
    options.onOutput?.(data);
  };
  return new Promise((resolve) => {
    const child = spawn(command, {
      shell: true,
      cwd: options.cwd,
      env: options.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A process group of its own, so that stopping the command stops its child processes, too.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    let killTimer: NodeJS.Timeout | undefined;
    const stop = (): void => {
      signalGroup(child.pid, 'SIGTERM');
      killTimer = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), GRACE_MS);
    };
    if (options.signal?.aborted === true) stop();
    options.signal?.addEventListener('abort', stop, { once: true });
    const end = (result: Pick<CommandResult, 'status'> & { readonly exitCode?: number }): void => {
      options.signal?.removeEventListener('abort', stop);
      clearTimeout(killTimer);
      const durationMs = Math.round(performance.now() - startedAt);
      resolve({ ...result, output: output.text(), durationMs });
    };
    child.stdout.setEncoding('utf8').on('data', addOutput);
    child.stderr.setEncoding('utf8').on('data', addOutput);
    child.once('error', (error) => {
      addOutput(`${error.message}\n`);
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
    // It has already ended.
  }
}

/** Keeps the beginning and the end of a text of any length in bounded memory. */
class BoundedText {
  #head = '';
  #tail = '';
  #dropped = 0;

  add(text: string): void {
    const room = Math.max(0, KEPT_CHARACTERS - this.#head.length);
    this.#head += text.slice(0, room);
    this.#tail += text.slice(room);
    if (this.#tail.length <= 2 * KEPT_CHARACTERS) return;
    this.#dropped += this.#tail.length - KEPT_CHARACTERS;
    this.#tail = this.#tail.slice(-KEPT_CHARACTERS);
  }

  text(): string {
    const excess = Math.max(0, this.#tail.length - KEPT_CHARACTERS);
    const dropped = this.#dropped + excess;
    if (dropped === 0) return this.#head + this.#tail;
    return `${this.#head}\n[${dropped} characters left out]\n${this.#tail.slice(excess)}`;
  }
}
