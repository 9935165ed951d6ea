import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { isAlive, withLock, writeFileAtomic } from '../files/index.ts';
import { YoreError } from '../record/index.ts';

/** What `serve.json` of a home tells of its server, running or not. */
export interface Instance {
  /** Left out when it was closed. */
  readonly pid?: number;
  readonly host: string;
  readonly port: number;
  /** The same after a restart, so that pages that were open go on. */
  readonly token: string;
}

const PATIENCE_MS = 1500;

/** The server of a home: there is one at a time. */
export class InstanceFile {
  readonly #path: string;
  #seen: string | undefined;

  constructor(home: string) {
    this.#path = join(home, 'serve.json');
  }

  /** What an earlier server left. Throws BUSY when it still runs, saying where. */
  async check(): Promise<Instance | undefined> {
    this.#seen = this.#text();
    const found = parseInstance(this.#seen);
    if (found?.pid !== undefined && isAlive(found.pid) && (await answers(found))) throw alreadyRunning(found);
    return found;
  }

  /** Writes down that this process serves the home. False when another one did meanwhile: check again. */
  claim(instance: Instance): boolean {
    return withLock(`${this.#path}.lock`, () => {
      if (this.#text() !== this.#seen) return false;
      this.#write(instance);
      return true;
    });
  }

  /** Writes down that nobody serves the home any more, unless somebody else does by now. */
  release(instance: Instance): void {
    withLock(`${this.#path}.lock`, () => {
      const found = parseInstance(this.#text());
      if (found?.pid !== instance.pid || found?.port !== instance.port) return;
      const { host, port, token } = instance;
      this.#write({ host, port, token });
    });
  }

  #write(instance: Instance): void {
    this.#seen = `${JSON.stringify({ v: 1, ...instance }, null, 2)}\n`;
    writeFileAtomic(this.#path, this.#seen);
  }

  #text(): string | undefined {
    try {
      return readFileSync(this.#path, 'utf8');
    } catch {
      return undefined;
    }
  }
}

/** 256 bits that nobody can guess. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

function parseInstance(text: string | undefined): Instance | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
  const { v, pid, host, port, token } = Object(value) as Readonly<Record<string, unknown>>;
  const isWhole =
    v === 1 &&
    typeof host === 'string' &&
    typeof port === 'number' &&
    Number.isInteger(port) &&
    port > 0 &&
    port < 65_536 &&
    typeof token === 'string' &&
    /^[\w-]{32,}$/.test(token);
  if (!isWhole) return undefined;
  return { host, port, token, ...(typeof pid === 'number' && pid > 0 ? { pid } : {}) };
}

/**
 * Whether the process that is named is the server: process ids are given out again. One that takes the connection and
 * does not answer is busy.
 */
function answers({ host, port, pid }: Instance): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request({ host: reachable(host), port, path: '/health', agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        if (text.length < 1000) text += chunk;
      });
      response.on('end', () => resolve(isHealthOf(text, pid)));
      response.on('error', () => resolve(false));
    });
    asked.on('error', () => resolve(false));
    asked.setTimeout(PATIENCE_MS, () => {
      resolve(asked.socket?.connecting === false);
      asked.destroy();
    });
    asked.end();
  });
}

function isHealthOf(text: string, pid: number | undefined): boolean {
  try {
    const health = Object(JSON.parse(text)) as Readonly<Record<string, unknown>>;
    return health.name === 'yore' && health.pid === pid;
  } catch {
    return false;
  }
}

/** An address that all addresses of the machine stand for is reached by loopback. */
function reachable(host: string): string {
  return host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
}

function alreadyRunning({ host, port, pid, token }: Instance): YoreError {
  const name = host.includes(':') ? `[${host}]` : host;
  return new YoreError(
    'BUSY',
    `yore serves this home already, at http://${name}:${port}/#token=${token} (process ${pid}). Open that, or end the process first.`,
  );
}
