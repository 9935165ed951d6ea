import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { omitUndefined } from '../record/object.ts';
import { type HookEnvironment, type HookRequest, handleHook, MAX_PAYLOAD_BYTES } from './handle-hook.ts';

/** What {@link handleHookRequest} needs to know. */
export interface HookHttpOptions extends Omit<HookEnvironment, 'elapsed'> {
  /** Handles the request, e.g. in another thread. Default: {@link handleHook} in this one. */
  readonly handle?: (request: HookRequest) => Promise<string>;
}

/**
 * Replies to `POST /hook/AGENT[/EVENT]` as the hook command does: status 200 and its output, which is usually empty.
 * Returns false for any other path, with the response untouched. Access control is up to the server: see
 * {@link isLocalRequest} and {@link hasToken}. Never rejects.
 */
export async function handleHookRequest(
  request: IncomingMessage,
  response: ServerResponse,
  options: HookHttpOptions,
): Promise<boolean> {
  const [, agent, event] = TARGET.exec(request.url ?? '') ?? [];
  if (agent === undefined) return false;
  if (request.method !== 'POST') {
    response.writeHead(405, { allow: 'POST' }).end();
    return true;
  }
  const started = performance.now();
  const payload = await readBody(request);
  if (payload === undefined) {
    response.writeHead(413, { connection: 'close' }).end();
    return true;
  }
  const machine = { ...options, elapsed: () => performance.now() - started };
  const handle = options.handle ?? ((hookRequest: HookRequest) => handleHook(hookRequest, machine));
  const text =
    payload.trim() === '' ? '' : await handle({ agent, payload, ...omitUndefined({ event }) }).catch(() => '');
  response.writeHead(200, text === '' ? {} : { 'content-type': 'application/json' }).end(text);
  return true;
}

/** Whether a request was sent by a program on this machine to a local name. Requests of web pages are not local. */
export function isLocalRequest(request: IncomingMessage): boolean {
  const address = request.socket.remoteAddress ?? '';
  const host = (request.headers.host ?? '').replace(/:\d{1,5}$/, '');
  return LOOPBACK.test(address) && LOCAL_HOSTS.has(host.toLowerCase()) && request.headers.origin === undefined;
}

/** Whether a request carries the token in `Authorization: Bearer …`. */
export function hasToken(request: IncomingMessage, token: string): boolean {
  const given = Buffer.from(/^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '');
  const expected = Buffer.from(token);
  return expected.length > 0 && given.length === expected.length && timingSafeEqual(given, expected);
}

const LOOPBACK = /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|::ffff:127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/;
const LOCAL_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
/** `/hook/AGENT[/EVENT]` */
const TARGET = /^\/hook\/([\w-]{1,64})(?:\/([\w-]{1,64})?)?(?:\?|$)/;

/** Undefined when the body is too large or incomplete. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_PAYLOAD_BYTES) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_PAYLOAD_BYTES) return undefined;
      chunks.push(chunk);
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks, size).toString('utf8');
}
