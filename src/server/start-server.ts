import { createServer, type IncomingMessage, type Server } from 'node:http';
import { homedir } from 'node:os';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type Home, openHome } from '../project/index.ts';
import { YoreError } from '../record/index.ts';
import { Chats } from './chat/chats.ts';
import { Access } from './http/access.ts';
import { answerRequest, type Routes } from './http/answer-request.ts';
import { McpRoute } from './http/mcp-route.ts';
import { StaticFiles } from './http/static-files.ts';
import { acceptUpgrade } from './http/upgrade.ts';
import { addressOf, type Instance, InstanceFile, newToken } from './instance-file.ts';
import { isLoopback } from './is-loopback.ts';
import { listen } from './listen.ts';
import { LogWatch } from './live/log-watch.ts';
import { methodCaller } from './rpc/call-method.ts';
import { Connections } from './rpc/connections.ts';
import { LARGEST_CALL } from './rpc/methods/chat.ts';
import type { RunningServer, ServerLimits, ServerOptions } from './server-options.ts';
import { IndexKeeper } from './work/index-keeper.ts';
import { Work } from './work/work.ts';

const DEFAULT_PORT = 4747;
const CLOSE_PATIENCE_MS = 2000;
const CLAIM_TRIES = 5;

const DEFAULT_LIMITS: ServerLimits = {
  bodyBytes: LARGEST_CALL,
  requestMs: 60_000,
  waitingBytes: 16 * 1024 * 1024,
  connections: 256,
  heartbeatMs: 30_000,
  watchMs: 500,
};

/**
 * Serves a home to browsers and agents until it is closed. Throws BUSY when another process serves it already, saying
 * where, or when the port is taken; USAGE for a token that is too short or an address that is not of this machine.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const host = options.host ?? '127.0.0.1';
  const file = new InstanceFile(options.home.path);
  for (let attempt = 1; attempt <= CLAIM_TRIES; attempt += 1) {
    const last = await file.check();
    const token = checkedToken(options.token ?? last?.token ?? newToken());
    const parts = assemble(options, host, token);
    const port = await listening(parts, host, portsToTry(options.port, last?.port));
    const { readOnly } = parts;
    const instance: Instance = { pid: process.pid, host, port, token, ...(readOnly ? { readOnly } : {}) };
    try {
      if (file.claim(instance)) {
        // Whoever opens the app should not have to wait for a thread to start.
        void parts.work.warmUp().catch(() => undefined);
        return running(parts, file, instance);
      }
    } catch (error) {
      await discard(parts);
      throw error;
    }
    await discard(parts);
  }
  throw new YoreError('BUSY', `Other processes start and stop serving ${options.home.path}. Try again.`);
}

async function listening(parts: Parts, host: string, ports: readonly number[]): Promise<number> {
  try {
    return await listen(parts.server, host, ports);
  } catch (error) {
    await discard(parts);
    throw error;
  }
}

/** Lets go of what was made for a server that does not come to run. */
async function discard({ server, work, home }: Parts): Promise<void> {
  server.close();
  await work.close();
  home.close();
}

interface Parts {
  readonly server: Server;
  readonly readOnly: boolean;
  readonly chats: Chats;
  readonly connections: Connections;
  readonly watch: LogWatch;
  readonly mcp: McpRoute;
  readonly home: Home;
  readonly work: Work;
}

function assemble(options: ServerOptions, host: string, token: string): Parts {
  const { cwd, openChat, now = Date.now, onError = () => undefined } = options;
  const { path, env } = options.home;
  const userHome = options.userHome ?? homedir();
  // What takes long is left to others: this thread answers everybody.
  const home = openHome({ home: path, env, now, indexing: 'elsewhere' });
  const work = new Work({ home, now });
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const readOnly = !isLoopback(host) && options.allowRemoteWrites !== true;
  const watch = new LogWatch({
    home,
    now,
    intervalMs: limits.watchMs,
    tell: (name, params) => connections.tell(name, params),
    drain: () => work.do('drain', {}),
    onError,
  });
  const tell = (notice: Parameters<typeof connections.tell<'chat.event'>>[1]): void =>
    connections.tell('chat.event', notice);
  const index = new IndexKeeper({
    home,
    work,
    tell: (progress) => connections.tell('history.indexed', progress),
    onError,
  });
  const chats = new Chats({ home, cwd, openChat, work, index, tell, onError });
  const call = methodCaller({ home, cwd, chats, work, index, readOnly });
  const connections: Connections = new Connections({
    call,
    onError,
    onPresence: (isAnybodyThere) => (isAnybodyThere ? watch.start() : watch.stop()),
    mostWaitingBytes: limits.waitingBytes,
    heartbeatMs: limits.heartbeatMs,
  });
  const mcp = new McpRoute({ home: path, env, version: options.version, currentFolder: cwd, now }, work);
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
      answer: (request) => work.ask('hook', { request, userHome }),
    },
    readOnly,
    largestBody: limits.bodyBytes,
    onError,
  };
  const server = httpServer(routes, connections, limits);
  return { server, readOnly, chats, connections, watch, mcp, home, work };
}

function httpServer(routes: Routes, connections: Connections, limits: ServerLimits): Server {
  const server = createServer(
    {
      requestTimeout: limits.requestMs,
      headersTimeout: Math.min(limits.requestMs, 15_000),
      connectionsCheckingInterval: Math.min(limits.requestMs / 2, 5000),
      keepAliveTimeout: 5000,
    },
    (request, response) => void answerRequest(routes, request, response),
  );
  server.maxConnections = limits.connections;
  const upgrade = acceptUpgrade(routes.access, limits.bodyBytes, (client) => connections.add(client));
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    upgrade(request, socket, head).catch((error: unknown) => {
      routes.onError(error);
      socket.destroy();
    });
  });
  return server;
}

function running(parts: Parts, file: InstanceFile, instance: Instance): RunningServer {
  const { port, token } = instance;
  let closing: Promise<void> | undefined;
  return {
    url: addressOf(instance),
    port,
    token,
    readOnly: parts.readOnly,
    close: () => {
      closing ??= close(parts, file, instance);
      return closing;
    },
  };
}

async function close(
  { server, chats, connections, watch, mcp, home, work }: Parts,
  file: InstanceFile,
  instance: Instance,
): Promise<void> {
  const ended = new Promise<void>((resolve) => server.close(() => resolve()));
  watch.stop();
  // First the chats, so that clients hear how their replies ended.
  await chats.close();
  await connections.close(CLOSE_PATIENCE_MS);
  await mcp.close();
  server.closeIdleConnections();
  const patience = setTimeout(() => server.closeAllConnections(), CLOSE_PATIENCE_MS);
  await ended;
  clearTimeout(patience);
  await work.close();
  home.close();
  file.release(instance);
}

function portsToTry(wanted: number | undefined, last: number | undefined): readonly number[] {
  if (wanted !== undefined) return [wanted];
  return last === undefined ? [DEFAULT_PORT, 0] : [last, DEFAULT_PORT, 0];
}

function checkedToken(token: string): string {
  if (/^[\w-]{32,}$/.test(token)) return token;
  throw new YoreError('USAGE', 'The token is too easy to guess. Give 32 letters, digits, - or _ at least.');
}
