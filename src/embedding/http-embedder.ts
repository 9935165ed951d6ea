import { YoreError } from '../record/index.ts';
import { isObject } from '../record/object.ts';
import type { Embedder, EmbedOptions } from './embedder.ts';

/** The server and its model. */
interface HttpEmbedderOptions {
  /** Of an OpenAI-compatible interface: `/embeddings` is appended to its path. */
  readonly url: URL;
  readonly model: string;
  readonly prefixes: Readonly<Record<EmbedOptions['kind'], string>>;
  readonly isRemote: boolean;
  readonly key?: string;
}

/** More is no list of vectors. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;
const MAX_DIMENSIONS = 8192;
const MAX_SHOWN = 200;
/** Statuses with which servers reject single texts, e.g. because they are too long. */
const REJECTED: readonly number[] = [400, 413, 422, 500];

/** An OpenAI-compatible server: OpenAI, Ollama, llama.cpp, LM Studio, vLLM. Redirects are not followed. */
export class HttpEmbedder implements Embedder {
  readonly id: string;
  readonly destination: string;
  readonly isRemote: boolean;
  readonly #options: HttpEmbedderOptions;
  readonly #endpoint: URL;

  constructor(options: HttpEmbedderOptions) {
    const { url, model, prefixes, isRemote } = options;
    this.#options = options;
    this.#endpoint = new URL(url);
    this.#endpoint.pathname = `${url.pathname.replace(/\/+$/, '')}/embeddings`;
    this.#endpoint.hash = '';
    this.id = prefixes.document === '' ? model : `${model} ${JSON.stringify(prefixes.document)}`;
    this.destination = `${url.host}, model ${model}`;
    this.isRemote = isRemote;
  }

  async embed(texts: readonly string[], { kind, timeoutMs }: EmbedOptions): Promise<readonly Float32Array[]> {
    const { model, key, prefixes } = this.#options;
    const input = texts.map((text) => prefixes[kind] + text);
    const signal = AbortSignal.timeout(timeoutMs);
    let text: string;
    try {
      const response = await fetch(this.#endpoint, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          'content-type': 'application/json',
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify({ model, input, encoding_format: 'float' }),
        signal,
      });
      text = await readText(response);
      if (!response.ok) {
        const code = REJECTED.includes(response.status) ? 'LIMIT' : 'MODEL';
        throw this.#error(describeStatus(response.status, text), undefined, code);
      }
    } catch (error) {
      if (error instanceof YoreError) throw error;
      throw this.#error(signal.aborted ? `did not reply within ${timeoutMs} ms` : describeFailure(error), error);
    }
    const vectors = parseVectors(text, texts.length);
    if (vectors === undefined) throw this.#error('sent no valid list of vectors');
    return vectors;
  }

  #error(problem: string, cause?: unknown, code: 'MODEL' | 'LIMIT' = 'MODEL'): YoreError {
    return new YoreError(code, `The embedding server ${this.#options.url.host} ${problem}.`, { cause });
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_RESPONSE_BYTES) throw new Error('its reply is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Network errors of `fetch` have the reason in their cause. */
function describeFailure(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const code = isObject(cause) || cause instanceof Error ? (cause as { readonly code?: unknown }).code : undefined;
  if (code === 'ECONNREFUSED') return 'does not accept connections';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'is unknown';
  return `cannot be reached: ${cause instanceof Error ? cause.message || String(code) : String(cause)}`;
}

function describeStatus(status: number, text: string): string {
  if (status >= 300 && status < 400) return `redirects to another address (status ${status}), which is not followed`;
  if (status === 401 || status === 403) {
    return `rejected the key (status ${status}): set YORE_EMBEDDINGS_API_KEY in the environment`;
  }
  const said = parseError(text);
  return said === undefined ? `replied with status ${status}` : `replied with status ${status}: ${said}`;
}

/** `{"error": {"message": …}}` or `{"error": …}`, on one line. */
function parseError(text: string): string | undefined {
  const reply = parseJson(text);
  const error = isObject(reply) ? reply.error : undefined;
  const message = isObject(error) ? error.message : error;
  if (typeof message !== 'string' || message.trim() === '') return undefined;
  return message.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_SHOWN).replace(/\.$/, '');
}

/** `{"data": [{"index": 0, "embedding": [0.1, …]}, …]}`, in any order. Undefined for anything else. */
function parseVectors(text: string, count: number): readonly Float32Array[] | undefined {
  const reply = parseJson(text);
  const data = isObject(reply) && Array.isArray(reply.data) ? reply.data : [];
  const vectors: Float32Array[] = [];
  for (const [place, item] of data.entries()) {
    if (!isObject(item)) return undefined;
    const { index = place, embedding } = item;
    if (typeof index !== 'number' || !isVector(embedding)) return undefined;
    vectors[index] = Float32Array.from(embedding);
  }
  const dimensions = vectors[0]?.length;
  const isComplete = data.length === count && vectors.length === count;
  // Indexes that repeat leave holes, which `every` would skip.
  return isComplete && Array.from(vectors).every((vector) => vector?.length === dimensions) ? vectors : undefined;
}

function isVector(value: unknown): value is readonly number[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= MAX_DIMENSIONS &&
    value.every((number) => Number.isFinite(number))
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
