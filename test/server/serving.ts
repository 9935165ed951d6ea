import { mkdirSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { ChatService, type Responder, type ResponsePart } from '../../src/chat/index.ts';
import { type Home, openHome } from '../../src/project/index.ts';
import { type Methods, type RunningServer, type ServerOptions, startServer } from '../../src/server/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

/** The folders of a server. */
export interface ServedPlace {
  readonly home: string;
  readonly cwd: string;
  readonly web: string;
}

/** Creates a home, a project folder and a built app. */
export function newPlace(): ServedPlace {
  const place = { home: join(temporaryFolder(), 'home'), cwd: temporaryFolder(), web: temporaryFolder() };
  mkdirSync(place.home, { mode: 0o700 });
  mkdirSync(join(place.web, 'assets'));
  writeFileSync(join(place.web, 'index.html'), '<!doctype html><title>yore</title>');
  writeFileSync(join(place.web, 'assets', 'app-Ab12Cd34.js'), `export {}; // ${'x'.repeat(4000)}`);
  writeFileSync(join(place.cwd, 'secret.txt'), 'outside of the app');
  return place;
}

/** The chunks that the responder of a test returns for a prompt. */
export type Script = (prompt: string, signal: AbortSignal) => AsyncIterable<string>;

/** Repeats the prompt word by word. */
async function* echo(prompt: string): AsyncIterable<string> {
  for (const word of prompt.split(' ')) yield `${word} `;
}

class ScriptedResponder implements Responder {
  readonly kind = 'model';
  readonly name = 'test/scripted';
  readonly #script: Script;

  constructor(script: Script) {
    this.#script = script;
  }

  async *respond({
    prompt,
    signal,
  }: {
    readonly prompt: string;
    readonly signal: AbortSignal;
  }): AsyncIterable<ResponsePart> {
    for await (const text of this.#script(prompt, signal)) yield { type: 'text', text };
  }
}

/** A server and its home, both closed at the end of the test. */
export interface Serving extends RunningServer {
  readonly place: ServedPlace;
  readonly openedHome: Home;
  readonly errors: unknown[];
}

/** Starts a server as `yore serve` does. */
export async function serve(
  options: Partial<ServerOptions> & {
    readonly place?: ServedPlace;
    readonly script?: Script;
    /** Lets the server choose the port. Default: any free port. */
    readonly choosesPort?: boolean;
  } = {},
): Promise<Serving> {
  const { place = newPlace(), script = echo, choosesPort = false, ...rest } = options;
  const home = openHome({ home: place.home, env: { PATH: process.env.PATH } });
  const errors: unknown[] = [];
  onTestFinished(() => home.close());
  const server = await startServer({
    home,
    cwd: place.cwd,
    webFolder: place.web,
    version: '1.2.3',
    ...(choosesPort ? {} : { port: 0 }),
    onError: (error) => errors.push(error),
    openChat: (project, root) =>
      new ChatService({
        home,
        project,
        root,
        responder: new ScriptedResponder(script),
        compactionDelayMs: 5,
      }),
    ...rest,
  });
  onTestFinished(() => server.close());
  return { ...server, place, openedHome: home, errors };
}

/** An HTTP response. */
export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
}

/** Sends a request exactly as given: no cookies, no redirects, no changes to the path. */
export function send(
  port: number,
  path: string,
  options: {
    readonly method?: string;
    readonly headers?: OutgoingHttpHeaders;
    readonly body?: string | Buffer;
  } = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body } = options;
    const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, async (response) => {
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of response) chunks.push(chunk as Buffer);
      } catch (error) {
        reject(error);
        return;
      }
      const bytes = Buffer.concat(chunks);
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        bytes,
        text: bytes.toString(),
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Posts JSON with the token. */
export function post(
  { port, token }: Pick<RunningServer, 'port' | 'token'>,
  path: string,
  body: string,
  headers: OutgoingHttpHeaders = {},
): Promise<Reply> {
  return send(port, path, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
  });
}

/** A JSON-RPC error. */
export interface CallError {
  readonly code: number;
  readonly message: string;
  readonly data?: { readonly code: string };
}

/** Calls a method over HTTP with any parameters, and returns the whole response. */
export async function rawCall(
  server: RunningServer,
  method: string,
  params?: unknown,
): Promise<{ readonly result?: unknown; readonly error?: CallError }> {
  const reply = await post(server, '/rpc', JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  return JSON.parse(reply.text);
}

/** Calls a method over HTTP. Rejects with the error of the server. */
export async function call<M extends keyof Methods>(
  server: RunningServer,
  method: M,
  params: Parameters<Methods[M]>[0],
): Promise<ReturnType<Methods[M]>> {
  const { result, error } = await rawCall(server, method, params);
  if (error) throw new Error(`${error.data?.code ?? error.code}: ${error.message}`);
  return result as ReturnType<Methods[M]>;
}

/** Logs in and returns the cookie. */
export async function loginCookie(server: Pick<RunningServer, 'port' | 'token'>): Promise<string> {
  const origin = `http://127.0.0.1:${server.port}`;
  const reply = await send(server.port, '/login', {
    method: 'POST',
    body: JSON.stringify({ token: server.token }),
    headers: { 'content-type': 'application/json', origin },
  });
  return String(reply.headers['set-cookie']).split(';', 1)[0] ?? '';
}

interface Notification {
  readonly method: string;
  // biome-ignore lint/suspicious/noExplicitAny: of any method
  readonly params: any;
}

/** A WebSocket client that collects notifications. */
export class Client {
  readonly notifications: Notification[] = [];
  readonly socket: WebSocket;
  readonly #waiting = new Map<number, (answer: { result?: unknown; error?: CallError }) => void>();
  readonly #watchers = new Set<() => void>();
  #lastId = 0;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('error', () => undefined);
    socket.on('message', (data) => {
      const message = JSON.parse(String(data));
      if (message.id === undefined) this.notifications.push(message);
      else this.#waiting.get(message.id)?.(message);
      for (const look of this.#watchers) look();
    });
  }

  /** Connects like a page of the app. */
  static async connect(server: Pick<RunningServer, 'port' | 'token'>): Promise<Client> {
    const origin = `http://127.0.0.1:${server.port}`;
    const headers = { cookie: await loginCookie(server), origin };
    const client = new Client(new WebSocket(`ws://127.0.0.1:${server.port}/rpc`, { headers }));
    onTestFinished(() => client.socket.terminate());
    await new Promise((resolve, reject) => {
      client.socket.once('open', resolve);
      client.socket.once('error', reject);
    });
    return client;
  }

  async call<M extends keyof Methods>(method: M, params: Parameters<Methods[M]>[0]): Promise<ReturnType<Methods[M]>> {
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = await new Promise<{ result?: unknown; error?: CallError }>((resolve) => {
      this.#waiting.set(id, resolve);
      this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
    if (answer.error) throw new Error(`${answer.error.data?.code}: ${answer.error.message}`);
    return answer.result as ReturnType<Methods[M]>;
  }

  /** Resolves to the first notification that matches, which may have arrived already. */
  waitFor(matches: (notification: Notification) => boolean): Promise<Notification> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = this.notifications.find(matches);
        if (found === undefined) return;
        this.#watchers.delete(look);
        resolve(found);
      };
      this.#watchers.add(look);
      look();
    });
  }

  /** Resolves to the close code when the connection is closed. */
  closed(): Promise<number> {
    if (this.socket.readyState === WebSocket.CLOSED) return Promise.resolve(0);
    return new Promise((resolve) => this.socket.once('close', resolve));
  }

  /** The types of the chat events so far. */
  chatEvents(): readonly string[] {
    return this.notifications.filter(({ method }) => method === 'chat.event').map(({ params }) => params.type);
  }
}
