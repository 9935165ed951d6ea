import type { LanguageModelV3 } from '@ai-sdk/provider';
import { ModelDetector } from '../../context/compaction/model-detector.ts';
import type { TopicDetector } from '../../context/compaction/topic-boundary.ts';
import type { Usage } from '../../record/index.ts';
import { omitUndefined } from '../../record/object.ts';
import { once } from '../../record/once.ts';
import type { Ledger, LedgerRecord } from '../ledger.ts';
import type { Responder, ResponderRequest, ResponsePart } from '../responder.ts';
import { toModelError } from './model-error.ts';
import { type ModelSettings, openModel } from './open-model.ts';
import { type ModelRequest, type RetryOptions, streamModel, toLanguagePrompt } from './stream-model.ts';

/** What a model needs besides its settings. */
export interface ModelContext {
  /** Holds the API keys. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly ledger: Ledger;
  /** Id of the project, for the ledger. */
  readonly project: string;
  readonly retry?: RetryOptions;
}

/** A model that answers in the chat. Nothing is loaded before the first question or {@link ModelResponder.warmUp}. */
export class ModelResponder implements Responder {
  readonly kind = 'model';
  readonly name: string;
  readonly #settings: ModelSettings;
  readonly #context: ModelContext;
  #model: Promise<LanguageModelV3> | undefined;

  constructor(settings: ModelSettings, context: ModelContext) {
    this.name = `${settings.provider}/${settings.name}`;
    this.#settings = settings;
    this.#context = context;
  }

  /** Loads the model ahead of the first question. A problem is reported with the question. */
  async warmUp(): Promise<void> {
    await this.#open().catch(() => undefined);
  }

  async *respond({ messages, signal }: ResponderRequest): AsyncIterable<ResponsePart> {
    try {
      const model = await this.#open();
      const request = { model, prompt: toLanguagePrompt(messages), signal };
      yield* streamRecorded(request, { why: 'chat', model: this.name }, this.#context);
    } catch (error) {
      throw toModelError(error, this.#settings);
    }
  }

  #open(): Promise<LanguageModelV3> {
    this.#model ??= openModel(this.#settings, this.#settings.name, this.#context.env).catch((error: unknown) => {
      this.#model = undefined;
      throw error;
    });
    return this.#model;
  }
}

/** Creates a detector that asks the small model. If that gives no answer, it falls back to the offline detector. */
export function createTopicDetector(settings: ModelSettings, context: ModelContext): TopicDetector {
  const name = `${settings.provider}/${settings.smallName}`;
  // Not every compatible server supports schemas, and some reject a request that has one.
  const supportsSchema = settings.provider !== 'openai-compatible';
  const open = once(() => openModel(settings, settings.smallName, context.env));
  return new ModelDetector({
    ask: async ({ system, text, schema }, signal = new AbortController().signal) => {
      const request: ModelRequest = {
        model: await open(),
        prompt: [
          { role: 'system', content: system },
          { role: 'user', content: [{ type: 'text', text }] },
        ],
        signal,
        ...(supportsSchema ? { responseFormat: { type: 'json', name: 'boundary', schema } } : {}),
      };
      let answer = '';
      for await (const part of streamRecorded(request, { why: 'topic', model: name }, context)) {
        if (part.type === 'text') answer += part.text;
      }
      return answer;
    },
  });
}

/** Streams a reply and records the call in the ledger, however it ends. */
async function* streamRecorded(
  request: ModelRequest,
  call: Pick<LedgerRecord, 'why' | 'model'>,
  { ledger, project, retry }: ModelContext,
): AsyncGenerator<ResponsePart> {
  let usage: Usage | undefined;
  let outcome: LedgerRecord['outcome'] = 'failed';
  try {
    for await (const part of streamModel({ ...request, ...retry })) {
      if (part.type === 'usage') usage = part.usage;
      yield part;
    }
    outcome = 'ok';
  } finally {
    if (request.signal.aborted) outcome = 'cancelled';
    ledger.record({ ...call, project, outcome, ...omitUndefined({ usage }) });
  }
}
