import type { IncomingMessage } from 'node:http';

/** A body, or why there is none. */
export type Body =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly reason: 'too-large' | 'broken-off' };

/** How long a client that was told to stop may go on sending. */
const LINGER_MS = 2000;

/** Reads the body of a request, of at most so many bytes. Never rejects. */
export async function readBody(request: IncomingMessage, most: number): Promise<Body> {
  if (Number(request.headers['content-length'] ?? 0) > most) return tooLarge(request);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (body: Body): void => {
      request.off('data', take);
      resolve(body);
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > most) end(tooLarge(request));
      else chunks.push(chunk);
    };
    request.on('data', take);
    request.once('end', () => end({ ok: true, bytes: Buffer.concat(chunks) }));
    request.once('error', () => end({ ok: false, reason: 'broken-off' }));
    request.once('close', () => end({ ok: false, reason: 'broken-off' }));
  });
}

/** What still comes is thrown away for a moment, so that the client gets to read the answer. */
function tooLarge(request: IncomingMessage): Body {
  request.resume();
  setTimeout(() => request.socket.destroy(), LINGER_MS).unref();
  return { ok: false, reason: 'too-large' };
}
