import { loadConfig } from '../config/index.ts';
import type { Embedder } from '../embedding/embedder.ts';
import { openEmbedder } from '../embedding/open-embedder.ts';
import { type Progress, readStamp } from '../files/file-access.ts';
import { messageOf, YoreError } from '../record/index.ts';
import { redact } from '../redact/index.ts';
import type { Environment } from '../registry/folders.ts';
import { SearchIndex, type SearchQuery, splitFilters } from '../search/index.ts';
import {
  countVectors,
  type PendingText,
  pendingTexts,
  saveVectors,
  type VectorCounts,
  type VectorModel,
} from '../store/vectors.ts';
import { formatCount } from '../text/format-count.ts';
import type { HealthFinding } from './health.ts';

/** What {@link Embeddings} works with. */
interface EmbeddingsOptions {
  /** The settings of the home; those of projects do not count. */
  readonly configFile: string;
  readonly env: Environment;
  readonly index: SearchIndex;
  readonly now: () => number;
}

/** How many vectors are computed. */
export interface EmbedMissingOptions {
  /** No batch is begun after this time. Default: until all messages have a vector. */
  readonly budgetMs?: number;
  /** Texts per request. Default 32. */
  readonly batchSize?: number;
  /** How long a request may take. Default: a minute, because local servers load a model with the first one. */
  readonly timeoutMs?: number;
  /** Called after each batch with the number of messages that have a vector, and of all messages. */
  readonly onProgress?: Progress;
}

/** What {@link Embeddings.embedMissing} did. */
export interface EmbedReport {
  /** Messages that got a vector. */
  readonly embedded: number;
  /** Whether all messages have one now. */
  readonly complete: boolean;
  /** Why not, if it is not for lack of time. */
  readonly problem?: string;
}

/** How long a search waits for the vector of its question, from a server on this machine or on another. */
const QUESTION_MS = { local: 500, remote: 1500 };
const MAX_QUESTION_LENGTH = 1000;
const MAX_CACHED_QUESTIONS = 100;
const BATCH_MS = 60_000;
const BATCH_SIZE = 32;
/** A server that failed is left alone for this time. */
const RETRY_MS = 10_000;
const CHECK_MS = 5_000;
const PROBE = 'test';

const OFF: EmbedReport = { embedded: 0, complete: true };

/**
 * Lets search compare meanings with the embedder of the settings, if there is one: vectors of questions, and of messages
 * that have none yet. Nothing is sent anywhere unless `embeddings.url` is set.
 */
export class Embeddings {
  readonly #options: EmbeddingsOptions;
  #opened: { readonly stamp: string; readonly embedder: Embedder | undefined } | undefined;
  /** Vectors of recent questions, by embedder and text. */
  readonly #questions = new Map<string, Float32Array>();
  /** The failure that was last reported, until something succeeds. */
  #failure: { readonly message: string; readonly at: number } | undefined;
  #dimensions: number | undefined;

  constructor(options: EmbeddingsOptions) {
    this.#options = options;
  }

  /** Whether the settings name an embedder. */
  get isOn(): boolean {
    try {
      return this.#open() !== undefined;
    } catch {
      return true;
    }
  }

  /** The query with the vector of its question, or with the reason why there is none, once for each outage. */
  async embedQuery(query: SearchQuery): Promise<SearchQuery> {
    const { text } = splitFilters(query.text);
    if (query.embedding !== undefined || !SearchIndex.isQuestion(text)) return query;
    try {
      const embedder = this.#open();
      if (embedder === undefined || this.#isWaiting()) return query;
      return { ...query, embedding: { model: embedder.id, vector: await this.#embedQuestion(embedder, text) } };
    } catch (error) {
      const problem = `${this.#fail(error)} Only words were compared.`;
      return { ...query, embedding: { problem } };
    }
  }

  /** Computes the vectors of messages that have none, newest first, in batches that are kept. Never throws. */
  async embedMissing(options: EmbedMissingOptions = {}): Promise<EmbedReport> {
    const { index } = this.#options;
    const { budgetMs = Number.POSITIVE_INFINITY, batchSize = BATCH_SIZE, timeoutMs = BATCH_MS, onProgress } = options;
    const started = performance.now();
    let embedded = 0;
    try {
      const embedder = this.#open();
      if (embedder === undefined) return OFF;
      if (this.#isWaiting()) return { embedded, complete: false, problem: this.#failure?.message ?? '' };
      const counts = onProgress && this.#countVectors(this.#model(embedder));
      let before: PendingText | undefined;
      while (performance.now() - started < budgetMs) {
        const batch = index.read((each) => pendingTexts(each, this.#model(embedder), batchSize, before?.id ?? 0)) ?? [];
        if (batch.length === 0) return { embedded, complete: true };
        const vectors = await this.#embedTexts(embedder, batch, timeoutMs);
        // Another process is writing to the index, or it cannot be used.
        if (index.read((each) => saveVectors(each, embedder.id, vectors)) !== true) break;
        before = batch.at(-1);
        embedded += batch.length;
        if (counts) onProgress?.(Math.min(counts.vectors + embedded, counts.messages), counts.messages);
      }
      return { embedded, complete: false };
    } catch (error) {
      return { embedded, complete: false, problem: this.#fail(error) };
    }
  }

  #countVectors(model: VectorModel): VectorCounts {
    return this.#options.index.read((each) => countVectors(each, model)) ?? { messages: 0, vectors: 0 };
  }

  /** Asks the embedder for a vector, and says where texts are sent to. Nothing when it is off. */
  async check(): Promise<readonly HealthFinding[]> {
    const area = 'embeddings';
    let where = '';
    try {
      const embedder = this.#open();
      if (embedder === undefined) return [];
      where = describeDestination(embedder);
      const [vector] = await embedder.embed([PROBE], { kind: 'question', timeoutMs: CHECK_MS });
      const { messages, vectors } = this.#countVectors({ id: embedder.id, dimensions: vector?.length });
      const done = `${formatCount(vectors, 'message')} of ${messages} ${vectors === 1 ? 'has a vector' : 'have vectors'}.`;
      const more = vectors < messages ? ' To compute the others now: yore reindex --embeddings' : '';
      return [{ area, ok: true, message: `${where} ${done}${more}` }];
    } catch (error) {
      if (!(error instanceof YoreError)) throw error;
      const message = `${where} ${error.message} Search compares words only.`.trim();
      return [{ area, ok: false, message, code: error.code === 'LIMIT' ? 'MODEL' : error.code }];
    }
  }

  async #embedQuestion(embedder: Embedder, text: string): Promise<Float32Array> {
    const question = redact(text).slice(0, MAX_QUESTION_LENGTH);
    const key = `${embedder.id} ${question}`;
    const cached = this.#questions.get(key);
    if (cached !== undefined) return cached;
    const timeoutMs = embedder.isRemote ? QUESTION_MS.remote : QUESTION_MS.local;
    const [vector = new Float32Array()] = await embedder.embed([question], { kind: 'question', timeoutMs });
    this.#failure = undefined;
    this.#dimensions = vector.length;
    this.#questions.set(key, vector);
    const [oldest] = this.#questions.keys();
    if (oldest !== undefined && this.#questions.size > MAX_CACHED_QUESTIONS) this.#questions.delete(oldest);
    return vector;
  }

  /** Texts that the embedder rejects, e.g. because they are too long for its model, get no vector. */
  async #embedTexts(embedder: Embedder, batch: readonly PendingText[], timeoutMs: number) {
    const options = { kind: 'document', timeoutMs } as const;
    const embed = async (texts: readonly string[]): Promise<readonly (Float32Array | undefined)[]> => {
      try {
        return texts.length === 0 ? [] : await embedder.embed(texts, options);
      } catch (error) {
        if (!(error instanceof YoreError && error.code === 'LIMIT')) throw error;
        if (texts.length === 1) return [undefined];
        const half = Math.ceil(texts.length / 2);
        return [...(await embed(texts.slice(0, half))), ...(await embed(texts.slice(half)))];
      }
    };
    const texts = batch.filter(({ text }) => text !== '');
    const vectors = await embed(texts.map(({ text }) => text));
    // If it rejects everything, the fault is not in the texts.
    if (texts.length > 0 && vectors.every((vector) => vector === undefined)) await embedder.embed([PROBE], options);
    this.#failure = undefined;
    this.#dimensions = vectors.find((vector) => vector !== undefined)?.length ?? this.#dimensions;
    const byId = new Map(texts.map(({ id }, place) => [id, vectors[place]]));
    return batch.map((pending) => ({ pending, vector: byId.get(pending.id) }));
  }

  #model({ id }: Embedder): VectorModel {
    return { id, dimensions: this.#dimensions };
  }

  /** Whether the embedder has just failed. */
  #isWaiting(): boolean {
    return this.#failure !== undefined && this.#options.now() - this.#failure.at < RETRY_MS;
  }

  /** Notes a failure, so that the embedder is left alone for a while; returns what to say about it. */
  #fail(error: unknown): string {
    if (!(error instanceof YoreError)) throw error;
    const message = messageOf(error);
    this.#failure = { message, at: this.#options.now() };
    return message;
  }

  /** Opened again when the settings have changed, also while a server is running. */
  #open(): Embedder | undefined {
    const { configFile, env } = this.#options;
    const stamp = readStamp(configFile);
    if (this.#opened?.stamp !== stamp) {
      this.#opened = { stamp, embedder: openEmbedder(loadConfig({ homeFile: configFile }), env) };
      this.#failure = undefined;
      this.#dimensions = undefined;
    }
    return this.#opened.embedder;
  }
}

function describeDestination({ destination, isRemote }: Embedder): string {
  const where = isRemote ? `leave this machine: they are sent to ${destination}` : `are sent to ${destination}`;
  return `Messages and questions ${where}. Secrets are masked.`;
}
