import type { IncomingMessage, ServerResponse } from 'node:http';
import { type HookHttpOptions, handleHookRequest } from '../../hook/index.ts';
import type { Home } from '../../project/index.ts';
import { answerRpc, type CallMethod } from '../rpc/json-rpc.ts';
import type { Access } from './access.ts';
import { answerImage } from './image-route.ts';
import type { McpRoute } from './mcp-route.ts';
import { readBody } from './read-body.ts';
import { requestPath } from './request-path.ts';
import { refuse, SECURITY_HEADERS, sendJson } from './send.ts';
import type { StaticFiles } from './static-files.ts';

/** What requests are answered with. */
export interface Routes {
  readonly home: Home;
  readonly access: Access;
  readonly files: StaticFiles;
  readonly call: CallMethod;
  readonly mcp: McpRoute;
  readonly hook: HookHttpOptions;
  readonly readOnly: boolean;
  readonly largestBody: number;
  readonly onError: (error: unknown) => void;
}

const LARGEST_LOGIN = 4096;

/** Answers one request. Never rejects. */
export async function answerRequest(
  routes: Routes,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
  try {
    await route(routes, request, response);
  } catch (error) {
    routes.onError(error);
    if (response.headersSent) response.destroy();
    else refuse(response, 500, 'Something went wrong in the server. Try again.');
  }
}

async function route(routes: Routes, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { access, files } = routes;
  if (!access.isForThisServer(request)) return refuse(response, 403, 'This server has another name.');
  if (access.isForeign(request)) return refuse(response, 403, 'Pages of other origins are not answered.');
  const path = requestPath(request.url ?? '');
  if (path === undefined) return refuse(response, 400, 'The address makes no sense.');
  if (path === '/health') return sendJson(request, response, 200, HEALTH);
  if (path === '/login') return login(access, request, response);
  const isPrivate = /^\/(?:rpc|mcp|image|hook)(?:\/|$)/.test(path);
  if (!isPrivate) return files.answer(path, request, response);
  if (access.credentialOf(request) === undefined) {
    return refuse(response, 401, 'Open the address that `yore serve` prints: it holds the token.');
  }
  return answerPrivate(routes, path, request, response);
}

/** So that a second server on the same home knows whom it found. */
const HEALTH: string = JSON.stringify({ name: 'yore', pid: process.pid });

async function answerPrivate(
  routes: Routes,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (path === '/rpc') return answerCall(routes, request, response);
  if (path.startsWith('/image/')) {
    if (request.method !== 'GET') return refuseMethod(response, 'GET');
    return answerImage(path, routes.home, response);
  }
  if (routes.readOnly) return refuse(response, 403, 'This server is read-only.');
  if (path === '/mcp') return routes.mcp.answer(request, response);
  if (await handleHookRequest(request, response, routes.hook)) return;
  refuse(response, 404, 'There is nothing here.');
}

async function login(access: Access, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST') return refuseMethod(response, 'POST');
  if (!isJson(request)) return refuse(response, 415, 'Send JSON.');
  const body = await readBody(request, LARGEST_LOGIN);
  if (!body.ok) return refuseBody(response, body.reason);
  const token = tokenIn(body.bytes);
  if (token === undefined || !access.isToken(token)) {
    return refuse(response, 401, 'That is not the token. Open the address that `yore serve` prints.');
  }
  response.writeHead(204, { 'set-cookie': access.cookie(), 'cache-control': 'no-store' }).end();
}

async function answerCall(
  { call, largestBody, onError }: Routes,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST') return refuseMethod(response, 'POST');
  // No form and no simple request of a page can send this type.
  if (!isJson(request)) return refuse(response, 415, 'Send JSON.');
  const body = await readBody(request, largestBody);
  if (!body.ok) return refuseBody(response, body.reason);
  const answer = await answerRpc(body.bytes.toString('utf8'), call, onError);
  if (answer === undefined) response.writeHead(204, { 'cache-control': 'no-store' }).end();
  else await sendJson(request, response, 200, answer);
}

function tokenIn(bytes: Buffer): string | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    const isObject = typeof value === 'object' && value !== null && 'token' in value;
    return isObject && typeof value.token === 'string' ? value.token : undefined;
  } catch {
    return undefined;
  }
}

function isJson(request: IncomingMessage): boolean {
  return /^application\/json\s*(?:;|$)/i.test(request.headers['content-type'] ?? '');
}

function refuseMethod(response: ServerResponse, allowed: string): void {
  response.setHeader('allow', allowed);
  refuse(response, 405, `Only ${allowed} is answered here.`);
}

function refuseBody(response: ServerResponse, reason: 'too-large' | 'broken-off'): void {
  if (reason === 'too-large') refuse(response, 413, 'The body is too large.');
}
