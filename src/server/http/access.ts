import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { hasToken } from '../../hook/index.ts';

/** How a request proved that it may ask. */
export type Credential = 'cookie' | 'token';

const LOCAL_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/;
const COOKIE_SECONDS = 90 * 24 * 60 * 60;

/** Who may ask the server: judged by Host, Origin, and the token or the cookie that was given for it. */
export class Access {
  readonly #token: string;
  readonly #boundHost: string;
  readonly #cookieName: string;
  readonly #cookieValue: string;

  /** `boundHost` is the address the server listens on. */
  constructor(token: string, boundHost: string) {
    this.#token = token;
    this.#boundHost = bracketed(boundHost.toLowerCase());
    // Cookies do not keep to a port: servers of several homes on one machine need names of their own.
    this.#cookieName = `yore_${digest(`name ${token}`).slice(0, 12)}`;
    this.#cookieValue = digest(`cookie ${token}`);
  }

  /** Whether the request was sent to this server by a name of it: a page of another site may have made its own name ours. */
  isForThisServer(request: IncomingMessage): boolean {
    const [host = '', ...others] = request.headersDistinct.host ?? [];
    const name = HOST.exec(host.toLowerCase())?.[1];
    if (name === undefined || others.length > 0) return false;
    const address = bracketed((request.socket.localAddress ?? '').replace(/^::ffff:/i, '').toLowerCase());
    const isLocal = address === '[::1]' || address.startsWith('127.');
    return name === address || name === this.#boundHost || (isLocal && LOCAL_NAMES.has(name));
  }

  /** Whether a page of another origin sent the request. Programs say nothing of an origin. */
  isForeign(request: IncomingMessage): boolean {
    const { origin, host } = request.headers;
    return origin !== undefined && origin.toLowerCase() !== `http://${(host ?? '').toLowerCase()}`;
  }

  /** What the request proves who it is from with; undefined when with nothing. */
  credentialOf(request: IncomingMessage): Credential | undefined {
    if (hasToken(request, this.#token)) return 'token';
    return this.#hasCookie(request) && this.#isFromOwnPage(request) ? 'cookie' : undefined;
  }

  isToken(given: string): boolean {
    return isSame(digest(given), digest(this.#token));
  }

  /** The header that gives the cookie to a browser which knew the token. */
  cookie(): string {
    const flags = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${COOKIE_SECONDS}`;
    return `${this.#cookieName}=${this.#cookieValue}; ${flags}`;
  }

  #hasCookie(request: IncomingMessage): boolean {
    return (request.headers.cookie ?? '').split(';').some((part) => {
      const [name, value = ''] = part.trim().split('=', 2);
      return name === this.#cookieName && isSame(value, this.#cookieValue);
    });
  }

  /** A cookie comes along with whatever a browser sends; pages of other ports of this machine count as the same site. */
  #isFromOwnPage(request: IncomingMessage): boolean {
    const site = request.headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
    const isReading = request.method === 'GET' && request.headers.upgrade === undefined;
    return isReading || request.headers.origin !== undefined;
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function bracketed(address: string): string {
  return address.includes(':') && !address.startsWith('[') ? `[${address}]` : address;
}
