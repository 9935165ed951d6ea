import { spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { environment, MAIN, type Place, type RunOptions } from './run-yore.ts';

/** A `yore serve` that runs, until the test is over. */
export interface ServingProcess {
  readonly pid: number;
  /** What it has printed so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
  /** Waits for something on standard output or standard error. */
  readonly saying: (text: string | RegExp) => Promise<string>;
}

/** What `yore serve --json` prints. */
export interface ServerInfo {
  readonly url: string;
  readonly port: number;
  readonly token: string;
  readonly readOnly: boolean;
  readonly pid: number;
}

const PATIENCE_MS = 25_000;

/** Starts `yore serve`. */
export function startServe(place: Place, args: readonly string[] = [], options: RunOptions = {}): ServingProcess {
  return startProcess([MAIN, 'serve', ...args], place, options);
}

/** Starts a script of Node.js that serves. */
export function startProcess(args: readonly string[], place: Place, options: RunOptions = {}): ServingProcess {
  const child = spawn(process.execPath, args, {
    cwd: options.cwd ?? place.cwd,
    env: environment(place, options.env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let [out, error] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    error += text;
  });
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
  return {
    pid: child.pid ?? 0,
    stdout: () => out,
    stderr: () => error,
    signal: (signal) => child.kill(signal),
    ended,
    saying: (text) =>
      new Promise((resolve, reject) => {
        const patience = setTimeout(
          () => reject(new Error(`It did not say ${text}, but: ${out}${error}`)),
          PATIENCE_MS,
        );
        const look = (): void => {
          const said = out + error;
          if (typeof text === 'string' ? !said.includes(text) : !text.test(said)) return;
          clearTimeout(patience);
          resolve(said);
        };
        child.stdout.on('data', look);
        child.stderr.on('data', look);
        child.once('close', (code) => {
          look();
          clearTimeout(patience);
          reject(new Error(`It ended with ${code} and did not say ${text}, but: ${out}${error}`));
        });
        look();
      }),
  };
}

/** Starts `yore serve --json` and waits until it listens. */
export async function startServeJson(
  place: Place,
  args: readonly string[] = [],
  options: RunOptions = {},
): Promise<{ readonly server: ServingProcess; readonly info: ServerInfo }> {
  const server = startServe(place, ['--json', ...args], options);
  await server.saying(/\}\n/);
  return { server, info: JSON.parse(server.stdout()) as ServerInfo };
}

/** Calls a method of a server with its token. */
export async function callRpc(
  { port, token }: Pick<ServerInfo, 'port' | 'token'>,
  method: string,
  params: unknown = {},
): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}/rpc`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const answer = (await response.json()) as { readonly result?: unknown; readonly error?: unknown };
  if (answer.error !== undefined) throw new Error(JSON.stringify(answer.error));
  return answer.result;
}
