import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { isProcessAlive, withLock, writeFileAtomic } from '../files/index.ts';
import { YoreError } from '../record/index.ts';

/** What `serve.json` of a home tells of its server, running or not. */
export interface Instance {
  /** Left out when it was closed. */
  readonly pid?: number;
  readonly host: string;
  readonly port: number;
  /** The same after a restart, so that pages that were open go on. */
  readonly token: string;
  /** Clients can change nothing. Left out: they can. */
  readonly readOnly?: boolean;
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
    if (found !== undefined && isProcess(found) && (await answers(found))) throw alreadyRunning(found);
    return found;
  }

  /** The server that runs now, if there is one. Never rejects. */
  async running(): Promise<(Instance & { readonly pid: number }) | undefined> {
    const found = parseInstance(this.#text());
    return found !== undefined && isProcess(found) && (await answers(found)) ? found : undefined;
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
      const { pid: _ended, ...rest } = instance;
      this.#write(rest);
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

/** The address to open in a browser: it holds the token. */
export function addressOf({ host, port, token }: Instance): string {
  const name = reachable(host);
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}/#token=${token}`;
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
  const { v, pid, host, port, token, readOnly } = Object(value) as Readonly<Record<string, unknown>>;
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
  return {
    host,
    port,
    token,
    ...(typeof pid === 'number' && pid > 0 ? { pid } : {}),
    ...(readOnly === true ? { readOnly } : {}),
  };
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

function isProcess(instance: Instance): instance is Instance & { readonly pid: number } {
  return instance.pid !== undefined && isProcessAlive(instance.pid);
}

function alreadyRunning(instance: Instance): YoreError {
  return new YoreError(
    'BUSY',
    `yore serves this home already, at ${addressOf(instance)} (process ${instance.pid}). Open that, or end the process first.`,
  );
}
