import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { McpOptions } from '../../mcp/index.ts';
import type { Workers } from '../workers/workers.ts';
import { readBody, refuse } from './request-io.ts';

const MAX_BODY_BYTES: number = 4 * 1024 * 1024;

interface McpHandler {
  readonly fetch: (request: Request) => Promise<Response>;
  readonly close: () => Promise<void>;
}

/** The MCP server at `/mcp`. Its packages are loaded with the first request. */
export class McpRoute {
  readonly #options: McpOptions;
  readonly #workers: Workers;
  #handler: Promise<McpHandler> | undefined;

  constructor(options: McpOptions, workers: Workers) {
    this.#options = options;
    this.#workers = workers;
  }

  /** Handles a request that was authenticated. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request, MAX_BODY_BYTES);
    if (!body.ok) {
      if (body.reason === 'too-large') refuse(response, 413, 'The body is too large.');
      return;
    }
    if (isSlowCall(body.bytes)) return this.#handleInWorker(request, response, body.bytes.toString('utf8'));
    this.#handler ??= this.#load();
    const { fetch } = await this.#handler;
    const disconnected = new AbortController();
    response.once('close', () => disconnected.abort());
    const result = await fetch(toWebRequest(request, body.bytes, disconnected.signal));
    for (const [name, value] of result.headers) response.setHeader(name, value);
    response.writeHead(result.status);
    if (result.body === null) {
      response.end();
      return;
    }
    // An error here means that the client has disconnected.
    await pipeline(Readable.fromWeb(result.body as ReadableStream), response).catch(() => undefined);
  }

  /** For calls with a single response. */
  async #handleInWorker(request: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
    const { version, currentFolder } = this.#options;
    const headers = [...toHeaders(request)];
    const method = request.method ?? 'POST';
    const reply = await this.#workers.ask('mcp', { method, headers, body, version, currentFolder });
    for (const [name, value] of reply.headers) response.setHeader(name, value);
    response.writeHead(reply.status).end(reply.body);
  }

  async close(): Promise<void> {
    await (await this.#handler)?.close();
  }

  async #load(): Promise<McpHandler> {
    const { createMcpHttpHandler } = await import('../../mcp/index.ts');
    return createMcpHttpHandler(this.#options);
  }
}

function toWebRequest(request: IncomingMessage, body: Buffer, signal: AbortSignal): Request {
  const method = request.method ?? 'GET';
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request('http://localhost/mcp', {
    method,
    headers: toHeaders(request),
    signal,
    ...(hasBody ? { body: new Uint8Array(body) } : {}),
  });
}

function toHeaders(request: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const one of Array.isArray(value) ? value : [value ?? '']) headers.append(name, one);
  }
  return headers;
}

const SLOW_METHODS: ReadonlySet<unknown> = new Set([
  'tools/call',
  'resources/read',
  'prompts/get',
  'completion/complete',
]);

/** Whether a request reads recorded data and has a single response. */
function isSlowCall(body: Buffer): boolean {
  try {
    return SLOW_METHODS.has(Reflect.get(Object(JSON.parse(body.toString('utf8'))), 'method'));
  } catch {
    return false;
  }
}
