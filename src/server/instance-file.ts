import { request } from 'node:http';
import { join } from 'node:path';
import { readRegularFile } from '../files/file-access.ts';
import { isProcessAlive, withLock, writeFileAtomic } from '../files/index.ts';
import { omitUndefined, parseObject, YoreError } from '../record/index.ts';

/** Where and how a server can be used. */
export interface ServerAddress {
  /** The address to open in a browser. It includes the token. */
  readonly url: string;
  readonly port: number;
  /** For `Authorization: Bearer …`. */
  readonly token: string;
  /** Clients can change nothing. */
  readonly readOnly: boolean;
}

/** A running server, as {@link findServer} finds it. */
export interface FoundServer extends ServerAddress {
  readonly pid: number;
}

/** Finds the server that is running for a home; undefined when there is none. Never rejects. */
export async function findServer(home: string): Promise<FoundServer | undefined> {
  const found = await new InstanceFile(home).findRunning();
  if (found === undefined) return undefined;
  const { port, token, readOnly = false, pid } = found;
  return { url: formatUrl(found), port, token, readOnly, pid };
}

/** What `serve.json` says about the last server of a home. */
export interface Instance {
  /** Absent after the server was closed. */
  readonly pid?: number;
  readonly host: string;
  readonly port: number;
  /** Reused after a restart, so that open pages can reconnect. */
  readonly token: string;
  /** Clients can change nothing. Default false. */
  readonly readOnly?: boolean;
}

type RunningInstance = Instance & { readonly pid: number };

const HEALTH_TIMEOUT_MS = 1500;

/** The file that makes sure that a home has at most one server. */
export class InstanceFile {
  readonly #path: string;
  /** Its content when it was last read or written. */
  #seen: string | undefined;

  constructor(home: string) {
    this.#path = join(home, 'serve.json');
  }

  /** Returns what an earlier server left. Throws BUSY when that server is still running, saying where. */
  async check(): Promise<Instance | undefined> {
    this.#seen = this.#read();
    const found = parseInstance(this.#seen);
    if (found === undefined || !hasLiveProcess(found) || !(await isServing(found))) return found;
    throw new YoreError(
      'BUSY',
      `yore already serves this home at ${formatUrl(found)} (process ${found.pid}). Open that address, or stop the process first.`,
    );
  }

  /** The running server, if there is one. Never rejects. */
  async findRunning(): Promise<RunningInstance | undefined> {
    const found = parseInstance(this.#read());
    return found !== undefined && hasLiveProcess(found) && (await isServing(found)) ? found : undefined;
  }

  /** Registers this process as the server. False when another process did so since {@link check}: check again. */
  claim(instance: Instance): boolean {
    return withLock(`${this.#path}.lock`, () => {
      if (this.#read() !== this.#seen) return false;
      this.#write(instance);
      return true;
    });
  }

  /** Removes the registration, unless another server has taken over. */
  release(instance: Instance): void {
    withLock(`${this.#path}.lock`, () => {
      const found = parseInstance(this.#read());
      if (found?.pid !== instance.pid || found?.port !== instance.port) return;
      const { pid: _ended, ...rest } = instance;
      this.#write(rest);
    });
  }

  #write(instance: Instance): void {
    this.#seen = `${JSON.stringify({ v: 1, ...instance }, null, 2)}\n`;
    writeFileAtomic(this.#path, this.#seen);
  }

  #read(): string | undefined {
    try {
      return readRegularFile(this.#path).toString('utf8');
    } catch {
      return undefined;
    }
  }
}

/** The address to open in a browser. It includes the token. */
export function formatUrl({ host, port, token }: Instance): string {
  const name = toReachable(host);
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}/#token=${token}`;
}

/** Whether a token has at least 32 characters, all of them safe in an address. */
export function isStrongToken(token: string): boolean {
  return /^[\w-]{32,}$/.test(token);
}

function parseInstance(text: string | undefined): Instance | undefined {
  const { v, pid, host, port, token, readOnly } = parseObject(text ?? '') ?? {};
  const isValid =
    v === 1 &&
    typeof host === 'string' &&
    typeof port === 'number' &&
    Number.isInteger(port) &&
    port > 0 &&
    port < 65_536 &&
    typeof token === 'string' &&
    isStrongToken(token);
  if (!isValid) return undefined;
  return {
    host,
    port,
    token,
    ...omitUndefined({
      pid: typeof pid === 'number' && pid > 0 ? pid : undefined,
      readOnly: readOnly === true || undefined,
    }),
  };
}

/**
 * Whether the process is the server: process ids are reused. A process that accepts the connection but does not answer
 * in time counts as a busy server.
 */
function isServing({ host, port, pid }: Instance): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request({ host: toReachable(host), port, path: '/health', agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        if (text.length < 1000) text += chunk;
      });
      response.on('end', () => {
        const health = parseObject(text);
        resolve(health?.name === 'yore' && health.pid === pid);
      });
      response.on('error', () => resolve(false));
    });
    asked.on('error', () => resolve(false));
    asked.setTimeout(HEALTH_TIMEOUT_MS, () => {
      resolve(asked.socket?.connecting === false);
      asked.destroy();
    });
    asked.end();
  });
}

/** A server that listens on all addresses is reached by loopback. */
function toReachable(host: string): string {
  return host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
}

function hasLiveProcess(instance: Instance): instance is RunningInstance {
  return instance.pid !== undefined && isProcessAlive(instance.pid);
}
