import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { hasToken } from '../../hook/index.ts';

const LOCAL_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/;
const MAX_PORT = 65_535;
const COOKIE_SECONDS = 90 * 24 * 60 * 60;

/** Decides who may use the server, by Host, Origin, and the token or the cookie that was issued for it. */
export class Access {
  readonly #token: string;
  readonly #boundHost: string;
  readonly #cookieName: string;
  readonly #cookieValue: string;

  /** `boundHost` is the address the server listens on. */
  constructor(token: string, boundHost: string) {
    this.#token = token;
    this.#boundHost = addBrackets(boundHost.toLowerCase());
    // Cookies are shared between ports: each server of the machine needs a cookie name of its own.
    this.#cookieName = `yore_${digest(`name ${token}`).slice(0, 12)}`;
    this.#cookieValue = digest(`cookie ${token}`);
  }

  /** Whether Host is a name of this server. Protects against DNS rebinding. */
  isHostAllowed(request: IncomingMessage): boolean {
    const [host = '', ...others] = request.headersDistinct.host ?? [];
    const [, name, port = 0] = HOST.exec(host.toLowerCase()) ?? [];
    if (name === undefined || Number(port) > MAX_PORT || others.length > 0) return false;
    const address = addBrackets((request.socket.localAddress ?? '').replace(/^::ffff:/i, '').toLowerCase());
    const isLocal = address === '[::1]' || address.startsWith('127.');
    return name === address || name === this.#boundHost || (isLocal && LOCAL_NAMES.has(name));
  }

  /** Whether a page of another origin sent the request. Programs send no Origin. */
  isCrossOrigin(request: IncomingMessage): boolean {
    const { origin, host } = request.headers;
    return origin !== undefined && origin.toLowerCase() !== `http://${(host ?? '').toLowerCase()}`;
  }

  /** Whether a request has the token, or comes from a page of the app with the cookie. */
  isAuthenticated(request: IncomingMessage): boolean {
    return hasToken(request, this.#token) || (this.#hasCookie(request) && this.#isFromOwnPage(request));
  }

  matchesToken(given: string): boolean {
    return isEqual(digest(given), digest(this.#token));
  }

  /** The value of `Set-Cookie` for a browser that has sent the token. */
  createCookie(): string {
    const flags = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${COOKIE_SECONDS}`;
    return `${this.#cookieName}=${this.#cookieValue}; ${flags}`;
  }

  #hasCookie(request: IncomingMessage): boolean {
    return (request.headers.cookie ?? '').split(';').some((part) => {
      const [name, value = ''] = part.trim().split('=', 2);
      return name === this.#cookieName && isEqual(value, this.#cookieValue);
    });
  }

  /** Browsers attach the cookie to every request, also from pages of other ports: those count as the same site. */
  #isFromOwnPage(request: IncomingMessage): boolean {
    const site = request.headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
    const isRead = request.method === 'GET' && request.headers.upgrade === undefined;
    return isRead || request.headers.origin !== undefined;
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Compares in constant time. */
function isEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function addBrackets(address: string): string {
  return address.includes(':') && !address.startsWith('[') ? `[${address}]` : address;
}
