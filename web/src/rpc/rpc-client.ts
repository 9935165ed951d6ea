import { type ReadonlySignal, signal } from '@preact/signals';
import type { Methods, Notifications } from '../../../src/server/rpc/api.ts';

/** `closed`: the server cannot be reached, and the client reconnects. `refused`: the page is not signed in. */
type Connection = 'connecting' | 'open' | 'closed' | 'refused';

/** What an {@link RpcClient} needs from the browser. */
interface RpcClientOptions {
  readonly url: string;
  readonly openSocket: (url: string) => WebSocket;
  /** Whether the server refuses this page; asked after a failed connection. */
  readonly isRefused: () => Promise<boolean>;
  readonly later: (action: () => void, delayMs: number) => void;
}

type Method = keyof Methods;
type ParametersOf<M extends Method> = Parameters<Methods[M]>[0];
type ResultOf<M extends Method> = ReturnType<Methods[M]>;
type Listener<N extends keyof Notifications> = (params: Notifications[N]) => void;

interface PendingCall {
  readonly text: string;
  readonly method: string;
  readonly resolve: (value: never) => void;
  readonly reject: (error: RpcError) => void;
}

/** Calls that are not idempotent: they are never sent twice. */
const NOT_REPEATED: ReadonlySet<string> = new Set<Method>([
  'chat.send',
  'chat.compact',
  'history.newSession',
  'context.loadSession',
  'memory.forget',
]);
const MIN_DELAY_MS = 250;
const MAX_DELAY_MS = 4000;

/**
 * JSON-RPC over one WebSocket that reconnects. Calls wait for the connection. A call whose response was lost is sent
 * again, unless it is not idempotent: then it fails with DISCONNECTED.
 */
export class RpcClient {
  readonly #options: RpcClientOptions;
  readonly #pending = new Map<number, PendingCall>();
  readonly #listeners = new Map<string, Set<(params: never) => void>>();
  readonly #connection = signal<Connection>('connecting');
  readonly #openings = signal(0);
  #socket: WebSocket | undefined;
  #nextId = 1;
  #delayMs = MIN_DELAY_MS;

  constructor(options: RpcClientOptions) {
    this.#options = options;
    this.#open();
  }

  get connection(): ReadonlySignal<Connection> {
    return this.#connection;
  }

  /** How often the client has connected. Views of the server's state fetch it again when this changes. */
  get openings(): ReadonlySignal<number> {
    return this.#openings;
  }

  call<M extends Method>(method: M, params: ParametersOf<M>): Promise<ResultOf<M>> {
    const id = this.#nextId++;
    const text = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { text, method, resolve, reject });
      if (this.#connection.value === 'open') this.#socket?.send(text);
    });
  }

  /** Subscribes to a notification. Returns the function that unsubscribes. */
  on<N extends keyof Notifications>(name: N, listener: Listener<N>): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners);
    listeners.add(listener as (params: never) => void);
    return () => listeners.delete(listener as (params: never) => void);
  }

  #open(): void {
    const socket = this.#options.openSocket(this.#options.url);
    let wasOpen = false;
    this.#socket = socket;
    socket.onopen = () => {
      wasOpen = true;
      this.#delayMs = MIN_DELAY_MS;
      // Pending calls first: whoever reacts to the new connection makes calls that are sent at once.
      for (const { text } of this.#pending.values()) socket.send(text);
      this.#connection.value = 'open';
      this.#openings.value += 1;
    };
    socket.onmessage = ({ data }) => this.#receive(String(data));
    socket.onclose = () => void this.#closed(wasOpen);
  }

  async #closed(wasOpen: boolean): Promise<void> {
    this.#connection.value = 'closed';
    if (wasOpen) this.#failNotRepeated();
    if (!wasOpen && (await this.#options.isRefused())) this.#connection.value = 'refused';
    this.#options.later(() => this.#open(), this.#delayMs);
    this.#delayMs = Math.min(this.#delayMs * 2, MAX_DELAY_MS);
  }

  #failNotRepeated(): void {
    for (const [id, { method, reject }] of [...this.#pending]) {
      if (!NOT_REPEATED.has(method)) continue;
      this.#pending.delete(id);
      reject(new RpcError('DISCONNECTED', 'The connection was lost before the server answered.'));
    }
  }

  #receive(data: string): void {
    const message = parse(data);
    if (message === undefined) return;
    if (typeof message.method === 'string') {
      for (const listener of this.#listeners.get(message.method) ?? []) listener(message.params as never);
      return;
    }
    const call = this.#pending.get(Number(message.id));
    if (call === undefined) return;
    this.#pending.delete(Number(message.id));
    if (message.error === undefined) call.resolve(message.result as never);
    else call.reject(new RpcError(String(message.error.data?.code ?? message.error.code), message.error.message));
  }
}

interface WireMessage {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: { readonly code?: string };
  };
}

function parse(data: string): WireMessage | undefined {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A failed call. `code` is that of the `YoreError` (`NOT_FOUND`, `BUSY`, …), or `DISCONNECTED`. */
export class RpcError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
  }
}

/** The message of anything that was thrown. */
export function errorMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
