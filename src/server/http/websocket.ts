import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket, WebSocketServer } from 'ws';
import { once } from '../../record/once.ts';
import type { Notifications } from '../rpc/api.ts';
import { type CallMethod, formatNotification, handleRpc } from '../rpc/json-rpc.ts';
import type { Access } from './access.ts';
import { parsePath } from './router.ts';

type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void>;

/** Handles requests for a WebSocket at `/rpc`, after checking who asks. */
export function acceptUpgrade(access: Access, maxMessageBytes: number, onClient: (client: WebSocket) => void): Upgrade {
  const sockets = once(() => openSockets(maxMessageBytes));
  return async (request, socket, head) => {
    // A client that disconnects during the handshake is no error.
    socket.on('error', () => socket.destroy());
    const status = refusalStatus(access, request);
    if (status !== undefined) {
      socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    (await sockets()).handleUpgrade(request, socket, head, onClient);
  };
}

/** Loads the package with the first connection: other commands do not pay for it. */
async function openSockets(maxMessageBytes: number): Promise<WebSocketServer> {
  const { WebSocketServer } = await import('ws');
  return new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: maxMessageBytes,
    // On one machine compressing takes longer than sending, and its memory use is hard to bound.
    perMessageDeflate: false,
  });
}

function refusalStatus(access: Access, request: IncomingMessage): number | undefined {
  if (!access.isHostAllowed(request) || access.isCrossOrigin(request)) return 403;
  if (parsePath(request.url ?? '') !== '/rpc') return 404;
  return access.isAuthenticated(request) ? undefined : 401;
}

interface ConnectionsOptions {
  readonly call: CallMethod;
  readonly onError: (error: unknown) => void;
  /** Called when the first client has connected and when the last one has left. */
  readonly onPresence: (hasClients: boolean) => void;
  /** A client with more unread data than this is disconnected. */
  readonly maxBufferedBytes: number;
  /** How often a client must answer a ping. */
  readonly heartbeatMs: number;
}

/** Close codes of WebSocket. */
const GOING_AWAY = 1001;
const UNSUPPORTED_DATA = 1003;

/** The connected clients: answers their calls and sends them notifications. */
export class Connections {
  readonly #options: ConnectionsOptions;
  /** Each with whether it has answered since the last heartbeat. */
  readonly #clients = new Map<WebSocket, boolean>();
  #heartbeat: NodeJS.Timeout | undefined;
  #isClosing = false;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /** Serves a client until it disconnects. */
  add(client: WebSocket): void {
    if (this.#isClosing) {
      client.terminate();
      return;
    }
    this.#clients.set(client, true);
    client.on('pong', () => this.#clients.set(client, true));
    client.on('error', () => client.terminate());
    client.on('close', () => this.#remove(client));
    client.on('message', (data, isBinary) => {
      if (isBinary) client.close(UNSUPPORTED_DATA, 'Send text.');
      else void this.#answer(client, String(data));
    });
    if (this.#clients.size > 1) return;
    // After pending messages are read: a pause of this process must not count as silence of the clients.
    this.#heartbeat = setInterval(() => setImmediate(() => this.#beat()), this.#options.heartbeatMs);
    this.#heartbeat.unref();
    this.#options.onPresence(true);
  }

  /** Sends a notification to every client. */
  notify<N extends keyof Notifications>(name: N, params: Notifications[N]): void {
    if (this.#clients.size === 0) return;
    const text = formatNotification(name, params);
    for (const client of this.#clients.keys()) this.#send(client, text);
  }

  /** Closes all connections; clients that have not confirmed after `timeoutMs` are cut off. */
  async close(timeoutMs: number): Promise<void> {
    this.#isClosing = true;
    const clients = [...this.#clients.keys()];
    const gone = clients.map((client) => new Promise<void>((resolve) => client.once('close', () => resolve())));
    for (const client of clients) client.close(GOING_AWAY, 'The server is shutting down.');
    const timer = setTimeout(() => {
      for (const client of clients) client.terminate();
    }, timeoutMs);
    await Promise.all(gone);
    clearTimeout(timer);
  }

  async #answer(client: WebSocket, message: string): Promise<void> {
    const text = await handleRpc(message, this.#options.call, this.#options.onError, client);
    if (text !== undefined) this.#send(client, text);
  }

  #send(client: WebSocket, text: string): void {
    if (client.readyState !== client.OPEN) return;
    // A slow client reconnects and fetches the state when it can read again.
    if (client.bufferedAmount > this.#options.maxBufferedBytes) client.terminate();
    else client.send(text);
  }

  #beat(): void {
    for (const [client, isAlive] of this.#clients) {
      if (!isAlive) {
        client.terminate();
        continue;
      }
      this.#clients.set(client, false);
      client.ping();
    }
  }

  #remove(client: WebSocket): void {
    if (!this.#clients.delete(client) || this.#clients.size > 0) return;
    clearInterval(this.#heartbeat);
    this.#options.onPresence(false);
  }
}
