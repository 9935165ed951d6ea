import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** Smaller answers are not worth the work. */
const COMPRESSED_FROM = 1024;
/** Fast: the answer is made while somebody waits. */
const LEVEL = 3;

const compress = promisify(gzip);

/** What every answer says: nothing of it may be guessed, framed, embedded elsewhere, sent on, or, unless it says so, kept. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** Answers with JSON that nobody keeps, compressed where the client takes it. */
export async function sendJson(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  text: string,
): Promise<void> {
  const plain = Buffer.from(text);
  const isCompressed = plain.length > COMPRESSED_FROM && takesGzip(request);
  const body = isCompressed ? await compress(plain, { level: LEVEL }) : plain;
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    'cache-control': 'no-store',
    vary: 'accept-encoding',
    ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
  });
  response.end(body);
}

/** Answers with the reason why a request is refused. */
export function refuse(response: ServerResponse, status: number, reason: string): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    ...(status === 413 ? { connection: 'close' } : {}),
  });
  response.end(JSON.stringify({ error: reason }));
}

/** Whether a client takes compressed answers. */
export function takesGzip(request: IncomingMessage): boolean {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  return accepted.split(',').some((part) => /^gzip(?:\s*;\s*q=(?!0(?:\.0*)?$).*)?$/i.test(part.trim()));
}
