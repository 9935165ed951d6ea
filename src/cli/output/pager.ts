import { spawn } from 'node:child_process';
import type { Sink } from './output.ts';

/** Exit codes of a shell that could not run the command. */
const CANNOT_RUN = [126, 127];

/** The streams of a command whose output may be paged. */
export interface PagedStreams {
  readonly out: Sink;
  readonly error: Sink;
  /** Prints what is held back and waits until the user has left the pager. Call it when the command has ended. */
  readonly finish: () => Promise<void>;
}

/**
 * The command of the user's pager: `YORE_PAGER`, else `PAGER`, else `less`. Undefined for no paging: with `cat` or an empty
 * value, and on Windows without one.
 */
export function findPager(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string | undefined {
  const command = env.YORE_PAGER ?? env.PAGER ?? (platform === 'win32' ? '' : 'less');
  return ['', 'cat'].includes(command.trim()) ? undefined : command;
}

/**
 * Streams that hold output back until it is longer than the screen, and then show it in a pager. What fits on the screen is
 * printed as it is, when the command ends. Messages on standard error wait until the pager is closed.
 */
export function pageOutput(out: Sink, error: Sink, pager: string, env: NodeJS.ProcessEnv): PagedStreams {
  const held: string[] = [];
  const messages: string[] = [];
  let lines = 0;
  let running: RunningPager | undefined;
  const write = (text: string): boolean => {
    held.push(text);
    if (running) return running.write(text);
    lines += text.split('\n').length - 1;
    if (lines < out.terminal.rows) return true;
    running = startPager(pager, env);
    return running.write(held.join(''));
  };
  return {
    out: { ...out, write, drained: () => running?.drained() ?? out.drained() },
    error: {
      ...error,
      write: (text) => {
        if (!running) return error.write(text);
        messages.push(text);
        return true;
      },
    },
    async finish() {
      const wasShown = running !== undefined && (await running.finish());
      if (!wasShown && held.length > 0) out.write(held.join(''));
      for (const message of messages) error.write(message);
    },
  };
}

interface RunningPager {
  readonly write: (text: string) => boolean;
  readonly drained: () => Promise<void>;
  /** Resolves when the pager has ended, to whether it could be run. */
  readonly finish: () => Promise<boolean>;
}

function startPager(command: string, env: NodeJS.ProcessEnv): RunningPager {
  const child = spawn(command, {
    shell: true,
    stdio: ['pipe', 'inherit', 'inherit'],
    // The defaults of git: quit if it fits, keep colours, leave the text on the screen.
    env: { LESS: 'FRX', LV: '-c', ...env },
  });
  // The pager handles Ctrl-C itself.
  const ignoreInterrupt = (): void => undefined;
  process.on('SIGINT', ignoreInterrupt);
  const ended = new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === null || !CANNOT_RUN.includes(code)));
  }).finally(() => process.removeListener('SIGINT', ignoreInterrupt));
  // A pager that was quit early closes the pipe; the rest of the output is not wanted.
  child.stdin.on('error', () => undefined);
  return {
    write: (text) => child.stdin.destroyed || child.stdin.write(text),
    drained: () =>
      Promise.race([new Promise<void>((done) => child.stdin.once('drain', done)), ended.then(() => undefined)]),
    finish: () => {
      child.stdin.end();
      return ended;
    },
  };
}
