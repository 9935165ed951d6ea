import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerHook, type HookMachine, type HookRequest } from './answer-hook.ts';
import { MOST_INPUT_BYTES } from './read-input.ts';

/** What {@link handleHookRequest} needs to know. */
export interface HookHttpOptions extends Omit<HookMachine, 'elapsed'> {
  /** The folder that the addresses begin with. Default `/hook`. */
  readonly path?: string;
  /** Finds the answer, for a server that does so in another thread. Default: in this one. */
  readonly answer?: (request: HookRequest) => Promise<string>;
}

/**
 * Answers an event that an agent sends as `POST /hook/AGENT[/EVENT]`, as the hook command does: 200 with what it would
 * print, mostly nothing. False, with the response untouched, for any other address. Who may ask is for the server to
 * say: see {@link isLocalRequest} and {@link hasToken}. Never rejects.
 */
export async function handleHookRequest(
  request: IncomingMessage,
  response: ServerResponse,
  options: HookHttpOptions,
): Promise<boolean> {
  const target = targetOf(request.url ?? '', options.path ?? '/hook');
  if (target === undefined) return false;
  if (request.method !== 'POST') {
    response.writeHead(405, { allow: 'POST' }).end();
    return true;
  }
  const started = performance.now();
  const payload = await bodyOf(request);
  if (payload === undefined) {
    response.writeHead(413, { connection: 'close' }).end();
    return true;
  }
  const machine = { ...options, elapsed: () => performance.now() - started };
  const answer = options.answer ?? ((asked: HookRequest) => answerHook(asked, machine));
  const text = payload.trim() === '' ? '' : await answer({ ...target, payload }).catch(() => '');
  response.writeHead(200, text === '' ? {} : { 'content-type': 'application/json' }).end(text);
  return true;
}

/** Whether a request comes from this machine and was meant for it: no page of a browser can make one that does. */
export function isLocalRequest(request: IncomingMessage): boolean {
  const address = request.socket.remoteAddress ?? '';
  const host = (request.headers.host ?? '').replace(/:\d{1,5}$/, '');
  return (
    LOOPBACK.test(address) && LOCAL_HOSTS.has(host.toLowerCase()) && request.headers.origin === undefined
  );
}

/** Whether a request carries the token: `Authorization: Bearer …`. */
export function hasToken(request: IncomingMessage, token: string): boolean {
  const given = Buffer.from(/^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '');
  const wanted = Buffer.from(token);
  return wanted.length > 0 && given.length === wanted.length && timingSafeEqual(given, wanted);
}

const LOOPBACK = /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|::ffff:127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/;
const LOCAL_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

function targetOf(
  url: string,
  path: string,
): { readonly agent: string; readonly event?: string } | undefined {
  const [address = ''] = url.split('?');
  if (!address.startsWith(`${path}/`)) return undefined;
  const [agent = '', event, ...more] = address.slice(path.length + 1).split('/');
  if (!NAME.test(agent) || more.length > 0) return undefined;
  return event === undefined || event === '' ? { agent } : NAME.test(event) ? { agent, event } : undefined;
}

const NAME = /^[\w-]{1,64}$/;

/** Undefined when it is too long or breaks off. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MOST_INPUT_BYTES) return undefined;
      chunks.push(chunk);
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks, size).toString('utf8');
}
