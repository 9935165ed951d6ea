import { type ReadonlySignal, signal } from '@preact/signals';
import type { Methods, Notifications } from '../../../src/server/rpc/api.ts';
import { RpcError } from './rpc-error.ts';

/** `closed`: the server cannot be reached, the next try is under way. `refused`: it wants a token that we lack. */
export type Connection = 'connecting' | 'open' | 'closed' | 'refused';

/** What a {@link RpcClient} needs of the world. */
export interface RpcClientOptions {
  readonly url: string;
  readonly openSocket: (url: string) => WebSocket;
  /** Does the server answer, but not to us? Asked when a connection could not be made. */
  readonly isRefused: () => Promise<boolean>;
  readonly later: (action: () => void, delayMs: number) => void;
}

type Method = keyof Methods;
type ParametersOf<M extends Method> = Parameters<Methods[M]>[0];
type AnswerOf<M extends Method> = ReturnType<Methods[M]>;
type Listener<N extends keyof Notifications> = (params: Notifications[N]) => void;

interface PendingCall {
  readonly text: string;
  readonly method: string;
  readonly resolve: (value: never) => void;
  readonly reject: (error: RpcError) => void;
}

/** Calls that may have taken effect although their answer was lost: they are never sent twice. */
const ONCE_ONLY: ReadonlySet<string> = new Set<Method>([
  'chat.send',
  'chat.compact',
  'history.newSession',
  'context.loadSession',
  'memory.forget',
]);
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 4000;

/**
 * JSON-RPC over one WebSocket that is opened anew whenever it closes. A call made meanwhile waits; a call whose answer
 * was lost is sent again, unless it changes something: that one fails with DISCONNECTED.
 */
export class RpcClient {
  readonly #options: RpcClientOptions;
  readonly #pending = new Map<number, PendingCall>();
  readonly #listeners = new Map<string, Set<(params: never) => void>>();
  readonly #connection = signal<Connection>('connecting');
  readonly #openings = signal(0);
  #socket: WebSocket | undefined;
  #nextId = 1;
  #delayMs = FIRST_DELAY_MS;

  constructor(options: RpcClientOptions) {
    this.#options = options;
    this.#open();
  }

  get connection(): ReadonlySignal<Connection> {
    return this.#connection;
  }

  /** How often a connection was made: who shows the server's state fetches it again when this changes. */
  get openings(): ReadonlySignal<number> {
    return this.#openings;
  }

  call<M extends Method>(method: M, params: ParametersOf<M>): Promise<AnswerOf<M>> {
    const id = this.#nextId++;
    const text = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { text, method, resolve, reject });
      if (this.#connection.value === 'open') this.#socket?.send(text);
    });
  }

  /** Tells a listener of a notification from now on. Returns a function that ends it. */
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
      this.#delayMs = FIRST_DELAY_MS;
      // First what has waited: who hears of the opening makes calls of its own, which are sent at once.
      for (const { text } of this.#pending.values()) socket.send(text);
      this.#connection.value = 'open';
      this.#openings.value += 1;
    };
    socket.onmessage = ({ data }) => this.#take(String(data));
    socket.onclose = () => void this.#closed(wasOpen);
  }

  async #closed(wasOpen: boolean): Promise<void> {
    this.#connection.value = 'closed';
    if (wasOpen) this.#failOnceOnly();
    if (!wasOpen && (await this.#options.isRefused())) this.#connection.value = 'refused';
    this.#options.later(() => this.#open(), this.#delayMs);
    this.#delayMs = Math.min(this.#delayMs * 2, LONGEST_DELAY_MS);
  }

  #failOnceOnly(): void {
    for (const [id, { method, reject }] of [...this.#pending]) {
      if (!ONCE_ONLY.has(method)) continue;
      this.#pending.delete(id);
      reject(new RpcError('DISCONNECTED', 'The connection was lost before the server answered.'));
    }
  }

  #take(data: string): void {
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
    else
      call.reject(
        new RpcError(String(message.error.data?.code ?? message.error.code), message.error.message),
      );
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
