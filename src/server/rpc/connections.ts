import type { WebSocket } from 'ws';
import type { Notifications } from './api.ts';
import { answerRpc, type CallMethod, notificationText } from './json-rpc.ts';

/** What {@link Connections} needs from the server. */
export interface ConnectionsOptions {
  readonly call: CallMethod;
  readonly onError: (error: unknown) => void;
  /** Told when the first client has come and when the last one has gone. */
  readonly onPresence: (isAnybodyThere: boolean) => void;
  /** A client that lets more than this wait to be read is cut off. */
  readonly mostWaitingBytes: number;
  /** How often a client must show that it is still there. */
  readonly heartbeatMs: number;
}

/** Close codes of WebSocket. */
const GOING_AWAY = 1001;
const NOT_UNDERSTOOD = 1003;

/** The clients that are connected: their calls are answered, and all are told what happens. */
export class Connections {
  readonly #options: ConnectionsOptions;
  /** With whether they have been heard of since the last heartbeat. */
  readonly #clients = new Map<WebSocket, boolean>();
  #heartbeat: NodeJS.Timeout | undefined;
  #isClosing = false;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /** Serves a client until it leaves. */
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
      if (isBinary) client.close(NOT_UNDERSTOOD, 'Send text.');
      else void this.#answer(client, String(data));
    });
    if (this.#clients.size > 1) return;
    this.#heartbeat = setInterval(() => this.#beat(), this.#options.heartbeatMs);
    this.#heartbeat.unref();
    this.#options.onPresence(true);
  }

  /** Tells every client. */
  tell<N extends keyof Notifications>(name: N, params: Notifications[N]): void {
    if (this.#clients.size === 0) return;
    const text = notificationText(name, params);
    for (const client of this.#clients.keys()) this.#send(client, text);
  }

  /** Says good-bye to all; those that do not answer are cut off. */
  async close(patienceMs: number): Promise<void> {
    this.#isClosing = true;
    const clients = [...this.#clients.keys()];
    const gone = clients.map(
      (client) => new Promise<void>((resolve) => client.once('close', () => resolve())),
    );
    for (const client of clients) client.close(GOING_AWAY, 'The server ends.');
    const patience = setTimeout(() => {
      for (const client of clients) client.terminate();
    }, patienceMs);
    await Promise.all(gone);
    clearTimeout(patience);
  }

  async #answer(client: WebSocket, message: string): Promise<void> {
    const text = await answerRpc(message, this.#options.call, this.#options.onError, client);
    if (text !== undefined) this.#send(client, text);
  }

  #send(client: WebSocket, text: string): void {
    if (client.readyState !== client.OPEN) return;
    // It comes back and asks for the state when it can read again.
    if (client.bufferedAmount > this.#options.mostWaitingBytes) client.terminate();
    else client.send(text);
  }

  #beat(): void {
    for (const [client, wasHeard] of this.#clients) {
      if (!wasHeard) {
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
