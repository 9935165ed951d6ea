import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** Headers of every response: no sniffing, framing, embedding or referrers, and no caching unless a route allows it. */
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

/** Smaller responses are not worth compressing. */
const MIN_COMPRESSED_BYTES = 1024;
/** A fast level: somebody waits for the response. */
const COMPRESSION_LEVEL = 3;

const compress = promisify(gzip);

/** Sends JSON, compressed where the client accepts it. */
export async function sendJson(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  text: string,
): Promise<void> {
  const plain = Buffer.from(text);
  const isCompressed = plain.length > MIN_COMPRESSED_BYTES && acceptsGzip(request);
  const body = isCompressed ? await compress(plain, { level: COMPRESSION_LEVEL }) : plain;
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    'cache-control': 'no-store',
    vary: 'accept-encoding',
    ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
  });
  response.end(body);
}

/** Refuses a request with a method other than those allowed. */
export function refuseMethod(response: ServerResponse, allowed: string): void {
  response.setHeader('allow', allowed);
  refuse(response, 405, `Use ${allowed}.`);
}

/** Refuses a request and says why. */
export function refuse(response: ServerResponse, status: number, reason: string): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    ...(status === 413 ? { connection: 'close' } : {}),
  });
  response.end(JSON.stringify({ error: reason }));
}

export function acceptsGzip(request: IncomingMessage): boolean {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  return accepted.split(',').some((part) => /^gzip(?:\s*;\s*q=(?!0(?:\.0*)?$).*)?$/i.test(part.trim()));
}

/** How long a client whose body is too large may go on sending. */
const LINGER_MS = 2000;

/**
 * Reads the body of a request as text. Undefined when the client has disconnected, or when there are more than
 * `maxBytes`, which is refused here. Never rejects.
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
): Promise<string | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return refuseTooLarge(request, response);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (body: string | undefined): void => {
      request.off('data', add);
      resolve(body);
    };
    const add = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > maxBytes) end(refuseTooLarge(request, response));
      else chunks.push(chunk);
    };
    request.on('data', add);
    request.once('end', () => end(Buffer.concat(chunks).toString('utf8')));
    request.once('error', () => end(undefined));
    request.once('close', () => end(undefined));
  });
}

/** Discards the rest for a moment, so that the client gets to read the response. */
function refuseTooLarge(request: IncomingMessage, response: ServerResponse): undefined {
  request.resume();
  setTimeout(() => request.socket.destroy(), LINGER_MS).unref();
  refuse(response, 413, 'The body is too large.');
}
