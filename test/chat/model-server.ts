import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** What the server does with one request, in order. */
export type ServerStep =
  | { readonly say: string }
  | { readonly waitMs: number }
  /** Sends nothing more and leaves the connection open. */
  | { readonly stall: true }
  /** Closes the connection in the middle. */
  | { readonly breakOff: true }
  /** Waits for the test. */
  | { readonly until: Promise<unknown> }
  | {
      readonly status: number;
      readonly message: string;
      readonly headers?: Readonly<Record<string, string>>;
    };

/** A request as received. */
export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: a body of any provider
  readonly body: any;
}

/** The usage that the server reports. */
export interface ServerUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/**
 * A real HTTP server that speaks the streaming interfaces of OpenAI (`/v1/chat/completions`) and Anthropic
 * (`/v1/messages`). Each request takes the next script; when there is none left, the last one again.
 */
export class ModelServer {
  readonly requests: ReceivedRequest[] = [];
  usage: ServerUsage = { input: 11, output: 7, cacheRead: 0, cacheWrite: 0 };
  readonly #server: Server;
  #scripts: (readonly ServerStep[])[] = [[{ say: 'Hello.' }]];
  readonly #scriptsOf = new Map<string, readonly ServerStep[]>();
  #closed = 0;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Starts a server that ends with the test. */
  static async start(): Promise<ModelServer> {
    const server = createServer();
    const model = new ModelServer(server);
    server.on('request', (request, response) => void model.#answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => model.stop());
    return model;
  }

  /** For `model.baseUrl`. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** How many replies the client has aborted. */
  get hangUps(): number {
    return this.#closed;
  }

  /** Sets the scripts of the next requests. */
  script(...scripts: readonly (readonly ServerStep[])[]): void {
    this.#scripts = [...scripts];
  }

  /** Sets the scripts of requests for one model. */
  scriptOf(model: string, script: readonly ServerStep[]): void {
    this.#scriptsOf.set(model, script);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #nextScript(): readonly ServerStep[] {
    return (this.#scripts.length > 1 ? this.#scripts.shift() : this.#scripts[0]) ?? [];
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const piece of request) text += piece;
    const body = JSON.parse(text);
    this.requests.push({ path: request.url ?? '', headers: request.headers, body });
    response.on('close', () => {
      if (!response.writableEnded) this.#closed += 1;
    });
    const steps = this.#scriptsOf.get(body.model) ?? this.#nextScript();
    const wire = request.url?.endsWith('/messages') ? anthropicWire(this.usage) : openAiWire(this.usage);
    for (const step of steps) {
      if ('status' in step) return fail(response, step);
      if (!response.headersSent) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(wire.begin);
      }
      if ('say' in step) response.write(wire.text(step.say));
      else if ('waitMs' in step) await new Promise((resolve) => setTimeout(resolve, step.waitMs));
      else if ('until' in step) await step.until;
      else if ('breakOff' in step) return void response.destroy();
      else return;
    }
    response.end(wire.end);
  }
}

function fail(response: ServerResponse, step: Extract<ServerStep, { status: number }>): void {
  response.writeHead(step.status, { 'content-type': 'application/json', ...step.headers });
  response.end(JSON.stringify({ type: 'error', error: { type: 'error', message: step.message, code: null } }));
}

interface Wire {
  readonly begin: string;
  readonly text: (text: string) => string;
  readonly end: string;
}

function openAiWire(usage: ServerUsage): Wire {
  const chunk = (choice: object, more: object = {}): string =>
    `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, ...choice }], ...more })}\n\n`;
  const total = {
    prompt_tokens: usage.input + usage.cacheRead,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.cacheRead + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cacheRead },
  };
  return {
    begin: chunk({ delta: { role: 'assistant', content: '' }, finish_reason: null }),
    text: (content) => chunk({ delta: { content }, finish_reason: null }),
    end: `${chunk({ delta: {}, finish_reason: 'stop' }, { usage: total })}data: [DONE]\n\n`,
  };
}

function anthropicWire(usage: ServerUsage): Wire {
  const event = (data: { readonly type: string; readonly [key: string]: unknown }): string =>
    `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: usage.input,
      output_tokens: 1,
      cache_read_input_tokens: usage.cacheRead,
      cache_creation_input_tokens: usage.cacheWrite,
    },
  };
  return {
    begin:
      event({ type: 'message_start', message }) +
      event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    text: (text) => event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
    end:
      event({ type: 'content_block_stop', index: 0 }) +
      event({
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: usage.output },
      }) +
      event({ type: 'message_stop' }),
  };
}
