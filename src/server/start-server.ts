import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { errorCode } from '../files/index.ts';
import { type Home, openHome, userHomeFolder } from '../project/index.ts';
import { omitUndefined, reasonOf, YoreError } from '../record/index.ts';
import { once } from '../record/once.ts';
import { Chats } from './chat/chats.ts';
import { Access } from './http/access.ts';
import { ConnectionLimit } from './http/connection-limit.ts';
import { McpRoute } from './http/mcp-route.ts';
import { handleRequest, type Routes } from './http/router.ts';
import { StaticFiles } from './http/static-files.ts';
import { acceptUpgrade, Connections } from './http/websocket.ts';
import { formatUrl, type Instance, InstanceFile, isStrongToken } from './instance-file.ts';
import { LogWatcher } from './live/log-watcher.ts';
import { TeamSync } from './live/team-sync.ts';
import { MAX_CALL_BYTES } from './methods/chat.ts';
import { createDispatcher, runInWorker } from './methods/method-table.ts';
import type { RunningServer, ServerLimits, ServerOptions } from './server-options.ts';
import { IndexUpdater } from './workers/index-updater.ts';
import { Workers } from './workers/workers.ts';

const DEFAULT_PORT = 4747;
const TOKEN_BYTES = 32;
const CLOSE_TIMEOUT_MS = 2000;
const MAX_CLAIM_ATTEMPTS = 5;

const DEFAULT_LIMITS: ServerLimits = {
  bodyBytes: MAX_CALL_BYTES,
  requestMs: 60_000,
  waitingBytes: 16 * 1024 * 1024,
  connections: 256,
  heartbeatMs: 30_000,
  watchMs: 500,
  syncMs: 60_000,
};

/**
 * Serves a home to browsers and agents until it is closed. Throws BUSY when another process serves the home already
 * (the message says where) or the port is taken; USAGE for a weak token or an address that is not of this machine.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const host = options.host ?? '127.0.0.1';
  const file = new InstanceFile(options.home.path);
  for (let attempt = 1; attempt <= MAX_CLAIM_ATTEMPTS; attempt += 1) {
    const last = await file.check();
    const token = checkToken(options.token ?? last?.token ?? randomBytes(TOKEN_BYTES).toString('base64url'));
    const parts = assemble(options, host, token);
    try {
      const port = await listen(parts.server, host, portsToTry(options.port, last?.port));
      const readOnly = parts.readOnly || undefined;
      const instance: Instance = { pid: process.pid, host, port, token, ...omitUndefined({ readOnly }) };
      if (file.claim(instance)) {
        // So that the first client does not wait for threads to start.
        void warmUp(parts).catch(() => undefined);
        parts.teamSync.start();
        return toRunningServer(parts, file, instance);
      }
    } catch (error) {
      await discard(parts);
      throw error;
    }
    await discard(parts);
  }
  throw new YoreError(
    'BUSY',
    `Other processes keep starting and stopping a server for ${options.home.path}. Try again.`,
  );
}

interface Parts {
  readonly server: Server;
  readonly readOnly: boolean;
  readonly chats: Chats;
  readonly connections: Connections;
  readonly watcher: LogWatcher;
  readonly mcp: McpRoute;
  readonly teamSync: TeamSync;
  readonly home: Home;
  readonly workers: Workers;
  readonly index: IndexUpdater;
}

function assemble(options: ServerOptions, host: string, token: string): Parts {
  const { cwd, openChat, now = Date.now, onError = () => undefined } = options;
  const { path, env } = options.home;
  const userHome = options.userHome ?? userHomeFolder();
  const home = openHome({ home: path, env, now, indexing: 'elsewhere' });
  const workers = new Workers({ home, cwd, now, run: runInWorker });
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const readOnly = !isLoopback(host) && options.allowRemoteWrites !== true;
  const watcher = new LogWatcher({
    home,
    now,
    intervalMs: limits.watchMs,
    notify: (name, params) => connections.notify(name, params),
    drain: () => workers.ask('drain', {}),
    onError,
  });
  const index = new IndexUpdater({
    home,
    workers,
    onProgress: (progress) => connections.notify('history.indexed', progress),
    onError,
  });
  const chats = new Chats({
    home,
    cwd,
    openChat,
    workers,
    index,
    notify: (notification) => connections.notify('chat.event', notification),
    onError,
  });
  const call = createDispatcher({
    home,
    cwd,
    chats,
    workers,
    index,
    readOnly,
    isLoopback: isLoopback(host),
    isDemo: options.isDemo === true,
    command: options.command ?? 'yore',
    checkAgents: options.checkAgents,
  });
  const connections: Connections = new Connections({
    call,
    onError,
    onPresence: (hasClients) => (hasClients ? watcher.start() : watcher.stop()),
    maxBufferedBytes: limits.waitingBytes,
    heartbeatMs: limits.heartbeatMs,
  });
  const teamSync = new TeamSync({
    home: path,
    sync: () => workers.ask('sync', {}),
    intervalMs: limits.syncMs,
    onError,
  });
  const mcp = new McpRoute({ home: path, env, version: options.version, currentFolder: cwd, now }, workers);
  const routes: Routes = {
    home,
    access: new Access(token, host),
    files: new StaticFiles(options.webFolder ?? fileURLToPath(new URL('../web/', import.meta.url))),
    call,
    mcp,
    hook: {
      home: path,
      env,
      userHome,
      now,
      handle: (request) => workers.ask('hook', { request, userHome }),
    },
    readOnly,
    maxBodyBytes: limits.bodyBytes,
    onError,
  };
  const server = createHttpServer(routes, connections, limits);
  return { server, readOnly, chats, connections, watcher, mcp, teamSync, home, workers, index };
}

function createHttpServer(routes: Routes, connections: Connections, limits: ServerLimits): Server {
  const server = createServer(
    {
      requestTimeout: limits.requestMs,
      headersTimeout: Math.min(limits.requestMs, 15_000),
      connectionsCheckingInterval: Math.min(limits.requestMs / 2, 5000),
      keepAliveTimeout: 5000,
    },
    (request, response) => {
      authenticate(request);
      void handleRequest(routes, request, response);
    },
  );
  const connectionLimit = new ConnectionLimit(server, limits.connections);
  const authenticate = (request: IncomingMessage): void => {
    if (routes.access.isAuthenticated(request)) connectionLimit.authenticate(request.socket);
  };
  const upgrade = acceptUpgrade(routes.access, limits.bodyBytes, (client) => connections.add(client));
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    authenticate(request);
    upgrade(request, socket, head).catch((error: unknown) => {
      routes.onError(error);
      socket.destroy();
    });
  });
  return server;
}

/** Runs a search, so that the first one of a client does not wait for the index to be opened. */
async function warmUp({ workers, index }: Parts): Promise<void> {
  await workers.ask('catchUp', {});
  index.embedInBackground();
  await workers.run('index', 'history.search', { query: 'a', limit: 1 });
}

/** Closes the parts of a server that did not come to run. */
async function discard({ server, workers, home }: Parts): Promise<void> {
  server.close();
  await workers.close();
  home.close();
}

function toRunningServer(parts: Parts, file: InstanceFile, instance: Instance): RunningServer {
  const { port, token } = instance;
  const { readOnly } = parts;
  return { url: formatUrl(instance), port, token, readOnly, close: once(() => close(parts, file, instance)) };
}

async function close(
  { server, chats, connections, watcher, mcp, teamSync, home, workers }: Parts,
  file: InstanceFile,
  instance: Instance,
): Promise<void> {
  const ended = new Promise<void>((resolve) => server.close(() => resolve()));
  watcher.stop();
  teamSync.stop();
  // Chats first, so that clients are notified how their replies ended.
  await chats.close();
  await connections.close(CLOSE_TIMEOUT_MS);
  await mcp.close();
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
  await workers.close();
  home.close();
  file.release(instance);
}

function portsToTry(wanted: number | undefined, last: number | undefined): readonly number[] {
  if (wanted !== undefined) return [wanted];
  return last === undefined ? [DEFAULT_PORT, 0] : [last, DEFAULT_PORT, 0];
}

function checkToken(token: string): string {
  if (isStrongToken(token)) return token;
  throw new YoreError(
    'USAGE',
    'The token is too easy to guess. Use at least 32 letters, digits, hyphens or underscores.',
  );
}

/** Listens on the first free port and returns it. BUSY when none is free, USAGE for an address of another machine. */
async function listen(server: Server, host: string, ports: readonly number[]): Promise<number> {
  let problem: unknown;
  for (const port of ports) {
    try {
      return await listenOn(server, host, port);
    } catch (error) {
      problem = error;
      if (errorCode(error) !== 'EADDRINUSE' && errorCode(error) !== 'EACCES') break;
    }
  }
  const code = errorCode(problem);
  const address = `${host}:${ports.at(-1)}`;
  if (code === 'EADDRINUSE') {
    throw new YoreError('BUSY', `Another program is listening on ${address}. Choose another port, or leave it out.`);
  }
  if (code === 'EACCES') {
    throw new YoreError(
      'USAGE',
      `You are not allowed to listen on ${address}. Choose a port above 1023, or leave it out.`,
    );
  }
  throw new YoreError(
    'USAGE',
    `Cannot listen on ${address}: ${reasonOf(problem)}. Choose an address of this machine.`,
    {
      cause: problem,
    },
  );
}

function listenOn(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Whether only this machine can reach a server that listens on this address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}
