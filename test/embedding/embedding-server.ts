import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Words that mean the same to the server. Each group is a dimension; any other word is one of the remaining. */
const SYNONYMS: readonly (readonly string[])[] = [
  ['login', 'authentication', 'signin'],
  ['broken', 'fails', 'trouble'],
  ['invoice', 'bill'],
  ['slow', 'sluggish'],
];
const STOP_WORDS = new Set(['the', 'a', 'for', 'with', 'is', 'of', 'to', 'again', 'every', 'on', 'and']);

/** A request as received. */
interface EmbeddingRequest {
  readonly path: string;
  readonly key: string | undefined;
  readonly model: string;
  readonly input: readonly string[];
}

/** A real HTTP server with an OpenAI-compatible interface and a model that knows some synonyms. Ends with the test. */
export class EmbeddingServer {
  readonly requests: EmbeddingRequest[] = [];
  dimensions = 64;
  /** What it does instead of answering; undefined to answer. */
  misbehave: ((request: EmbeddingRequest, response: ServerResponse) => unknown) | undefined;
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  static async start(): Promise<EmbeddingServer> {
    const server = new EmbeddingServer();
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => server.stop());
    return server;
  }

  /** For `embeddings.url`. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** All texts that it was sent. */
  get texts(): readonly string[] {
    return this.requests.flatMap(({ input }) => input);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const part of message) body += part;
    const { model, input } = JSON.parse(body) as { model: string; input: string[] };
    const request = { path: message.url ?? '', key: message.headers.authorization, model, input };
    this.requests.push(request);
    if (this.misbehave?.(request, response) !== undefined) return;
    const data = input.map((text, index) => ({ object: 'embedding', index, embedding: this.#embed(text) }));
    // Servers may answer in any order.
    sendJson(response, 200, { object: 'list', model, data: data.reverse() });
  }

  #embed(text: string): number[] {
    const vector = Array.from({ length: this.dimensions }, () => 0);
    for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
      if (STOP_WORDS.has(word)) continue;
      const group = SYNONYMS.findIndex((words) => words.includes(word));
      const place = group >= 0 ? group : SYNONYMS.length + (hash(word) % (this.dimensions - SYNONYMS.length));
      vector[place] = (vector[place] ?? 0) + 1;
    }
    return vector;
  }
}

/** Ends a response. */
export function sendJson(response: ServerResponse, status: number, body: unknown): true {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
  return true;
}

function hash(word: string): number {
  return [...word].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, 7);
}
