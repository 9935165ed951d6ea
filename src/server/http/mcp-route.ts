import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { McpOptions } from '../../mcp/index.ts';
import type { Work } from '../work/work.ts';
import { readBody } from './read-body.ts';
import { refuse } from './send.ts';

const LARGEST_BODY: number = 4 * 1024 * 1024;

interface McpHandler {
  readonly fetch: (request: Request) => Promise<Response>;
  readonly close: () => Promise<void>;
}

/** The MCP server behind `/mcp`. Its packages are loaded when the first client comes. */
export class McpRoute {
  readonly #options: McpOptions;
  readonly #work: Work;
  #handler: Promise<McpHandler> | undefined;

  constructor(options: McpOptions, work: Work) {
    this.#options = options;
    this.#work = work;
  }

  /** Answers a request whose sender was checked. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request, LARGEST_BODY);
    if (!body.ok) {
      if (body.reason === 'too-large') refuse(response, 413, 'The body is too large.');
      return;
    }
    if (mayTakeLong(body.bytes)) return this.#answerBeside(request, response, body.bytes.toString('utf8'));
    this.#handler ??= this.#load();
    const { fetch } = await this.#handler;
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const answer = await fetch(toWebRequest(request, body.bytes, gone.signal));
    for (const [name, value] of answer.headers) response.setHeader(name, value);
    response.writeHead(answer.status);
    if (answer.body === null) {
      response.end();
      return;
    }
    // Where the client has left there is nobody to tell.
    await pipeline(Readable.fromWeb(answer.body as ReadableStream), response).catch(() => undefined);
  }

  /** In another thread, for what is answered once and for all. */
  async #answerBeside(request: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
    const { version, currentFolder } = this.#options;
    const headers = [...headersOf(request)];
    const method = request.method ?? 'POST';
    const reply = await this.#work.ask('mcp', { method, headers, body, version, currentFolder });
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
    headers: headersOf(request),
    signal,
    ...(hasBody ? { body: new Uint8Array(body) } : {}),
  });
}

function headersOf(request: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const one of Array.isArray(value) ? value : [value ?? '']) headers.append(name, one);
  }
  return headers;
}

const LONG_CALLS: ReadonlySet<unknown> = new Set([
  'tools/call',
  'resources/read',
  'prompts/get',
  'completion/complete',
]);

/** Whether a request reads what is recorded, and is answered once. */
function mayTakeLong(body: Buffer): boolean {
  try {
    return LONG_CALLS.has(Reflect.get(Object(JSON.parse(body.toString('utf8'))), 'method'));
  } catch {
    return false;
  }
}
