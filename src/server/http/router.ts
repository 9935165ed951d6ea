import { createReadStream, lstatSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { openFile } from '../../files/index.ts';
import { type HookHttpOptions, handleHookRequest } from '../../hook/index.ts';
import type { Home } from '../../project/index.ts';
import { parseObject } from '../../record/index.ts';
import { projectById } from '../find-project.ts';
import { type CallMethod, handleRpc } from '../rpc/json-rpc.ts';
import type { Access } from './access.ts';
import type { McpRoute } from './mcp-route.ts';
import { readBody, refuse, refuseMethod, SECURITY_HEADERS, sendJson } from './request-io.ts';
import type { StaticFiles } from './static-files.ts';

/** What requests are handled with. */
export interface Routes {
  readonly home: Home;
  readonly access: Access;
  readonly files: StaticFiles;
  readonly call: CallMethod;
  readonly mcp: McpRoute;
  readonly hook: HookHttpOptions;
  readonly readOnly: boolean;
  readonly maxBodyBytes: number;
  readonly onError: (error: unknown) => void;
}

const MAX_LOGIN_BYTES = 4096;

/** Lets a second server of the same home find out who is running. */
const HEALTH: string = JSON.stringify({ name: 'yore', pid: process.pid });

/** Handles one request. Never rejects. */
export async function handleRequest(routes: Routes, request: IncomingMessage, response: ServerResponse): Promise<void> {
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
  if (!access.isHostAllowed(request)) {
    return refuse(response, 403, 'The Host header does not name this server.');
  }
  if (access.isCrossOrigin(request)) {
    return refuse(response, 403, 'Requests from pages of other origins are refused.');
  }
  const path = parsePath(request.url ?? '');
  if (path === undefined) return refuse(response, 400, 'The path is not valid.');
  if (path === '/health') return sendJson(request, response, 200, HEALTH);
  if (path === '/login') return login(access, request, response);
  const isPrivate = /^\/(?:rpc|mcp|image|hook)(?:\/|$)/.test(path);
  if (!isPrivate) return files.send(path, request, response);
  if (!access.isAuthenticated(request)) {
    return refuse(response, 401, 'Open the address that `yore serve` prints. It includes the token.');
  }
  return routePrivate(routes, path, request, response);
}

async function routePrivate(
  routes: Routes,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (path === '/rpc') return callRpc(routes, request, response);
  if (path.startsWith('/image/')) {
    if (request.method !== 'GET') return refuseMethod(response, 'GET');
    return sendImage(path, routes.home, response);
  }
  if (routes.readOnly) return refuse(response, 403, 'This server is read-only.');
  if (path === '/mcp') return routes.mcp.handle(request, response);
  if (await handleHookRequest(request, response, routes.hook)) return;
  refuse(response, 404, 'Not found.');
}

async function login(access: Access, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST') return refuseMethod(response, 'POST');
  if (!isJson(request)) return refuse(response, 415, 'Send JSON.');
  const body = await readBody(request, response, MAX_LOGIN_BYTES);
  if (body === undefined) return;
  const token = parseObject(body)?.token;
  if (typeof token !== 'string' || !access.matchesToken(token)) {
    return refuse(response, 401, 'The token is wrong. Open the address that `yore serve` prints.');
  }
  response.writeHead(204, { 'set-cookie': access.createCookie(), 'cache-control': 'no-store' }).end();
}

async function callRpc(
  { call, maxBodyBytes, onError }: Routes,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST') return refuseMethod(response, 'POST');
  // Neither a form nor a simple cross-origin request can have this type.
  if (!isJson(request)) return refuse(response, 415, 'Send JSON.');
  const body = await readBody(request, response, maxBodyBytes);
  if (body === undefined) return;
  const reply = await handleRpc(body, call, onError);
  if (reply === undefined) response.writeHead(204, { 'cache-control': 'no-store' }).end();
  else await sendJson(request, response, 200, reply);
}

function isJson(request: IncomingMessage): boolean {
  return /^application\/json\s*(?:;|$)/i.test(request.headers['content-type'] ?? '');
}

/** Backslashes, control characters, and percent signs that are left after decoding (double escapes). */
const UNSAFE_IN_PATH = /[\\%\u0000-\u001f\u007f]/;

/** The decoded path of a request, without its query. Undefined for a path that tries to escape, such as `/../`. */
export function parsePath(target: string): string | undefined {
  const [raw = ''] = target.split(/[?#]/, 1);
  if (!raw.startsWith('/')) return undefined;
  let path: string;
  try {
    path = decodeURIComponent(raw);
  } catch {
    return undefined;
  }
  if (UNSAFE_IN_PATH.test(path)) return undefined;
  const segments = path.slice(1).split('/');
  const isPlain = segments.every((segment, index) => {
    const isLast = index === segments.length - 1;
    return (segment !== '' || isLast) && !/^\.+$/.test(segment);
  });
  return isPlain ? path : undefined;
}

const IMAGE_PATH = /^\/image\/([0-9a-f]{8,64})\/([0-9a-f]{12}\.(png|jpg|gif|webp))$/;
const IMAGE_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
};

/** Sends an image of a message, `/image/<project>/<name>`. Only names that yore gives to images are looked up. */
function sendImage(path: string, home: Home, response: ServerResponse): void {
  const [, project = '', name = '', extension = ''] = IMAGE_PATH.exec(path) ?? [];
  const file = project === '' ? undefined : imageFile(home, project, name);
  const found = file === undefined ? undefined : lstatSync(file, { throwIfNoEntry: false });
  const descriptor = file !== undefined && found?.isFile() ? tryOpen(file) : undefined;
  if (found === undefined || descriptor === undefined) {
    refuse(response, 404, 'There is no such image.');
    return;
  }
  response.writeHead(200, {
    'content-type': IMAGE_TYPES[extension] ?? 'application/octet-stream',
    'content-length': found.size,
    // The name is a hash of the content.
    'cache-control': 'private, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; sandbox",
  });
  createReadStream('', { fd: descriptor })
    .on('error', () => response.destroy())
    .pipe(response);
}

function tryOpen(file: string): number | undefined {
  try {
    return openFile(file);
  } catch {
    return undefined;
  }
}

function imageFile(home: Home, project: string, name: string): string | undefined {
  try {
    return join(projectById(home, project).directory, 'images', name);
  } catch {
    return undefined;
  }
}
