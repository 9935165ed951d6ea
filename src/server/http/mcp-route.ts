import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { createMcpHttpHandler, McpOptions } from '../../mcp/index.ts';
import { parseObject } from '../../record/index.ts';
import type { Workers } from '../workers/workers.ts';
import { readBody } from './request-io.ts';

const MAX_BODY_BYTES: number = 4 * 1024 * 1024;

/** The MCP server at `/mcp`. Its packages are loaded with the first request. */
export class McpRoute {
  readonly #options: McpOptions;
  readonly #workers: Workers;
  #handler: Promise<ReturnType<typeof createMcpHttpHandler>> | undefined;

  constructor(options: McpOptions, workers: Workers) {
    this.#options = options;
    this.#workers = workers;
  }

  /** Handles a request that was authenticated. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request, response, MAX_BODY_BYTES);
    if (body === undefined) return;
    if (isSlowCall(body)) return this.#handleInWorker(request, response, body);
    this.#handler ??= import('../../mcp/index.ts').then((mcp) => mcp.createMcpHttpHandler(this.#options));
    const { fetch } = await this.#handler;
    const disconnected = new AbortController();
    response.once('close', () => disconnected.abort());
    const result = await fetch(toWebRequest(request, body, disconnected.signal));
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
}

function toWebRequest(request: IncomingMessage, body: string, signal: AbortSignal): Request {
  const method = request.method ?? 'GET';
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request('http://localhost/mcp', {
    method,
    headers: toHeaders(request),
    signal,
    ...(hasBody ? { body } : {}),
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
function isSlowCall(body: string): boolean {
  return SLOW_METHODS.has(parseObject(body)?.method);
}
