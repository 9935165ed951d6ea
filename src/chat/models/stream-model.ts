import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Prompt,
  LanguageModelV3StreamPart,
} from '@ai-sdk/provider';
import type { Usage } from '../../record/index.ts';
import type { ResponsePart } from '../responder.ts';
import { askedWait, mayPass } from './model-error.ts';

/** How patiently a model is asked. */
export interface Patience {
  /** How often a request that may pass is made in all. Default 4. */
  readonly tries?: number;
  /** The wait before the second try; it doubles. Default 1,000. */
  readonly firstWaitMs?: number;
  /** No longer wait than this is kept, whatever the provider asks. Default 60,000. */
  readonly longestWaitMs?: number;
  /** A model that says nothing for so long has stopped. Default 120,000. */
  readonly silenceMs?: number;
}

/** What a request is made of. */
export interface ModelRequest extends Patience {
  readonly model: LanguageModelV3;
  readonly prompt: LanguageModelV3Prompt;
  readonly signal: AbortSignal;
  /** The shape the reply has to have. Default: text. */
  readonly responseFormat?: LanguageModelV3CallOptions['responseFormat'];
}

/**
 * Asks a model and hands on its words as they come. A request that was refused for the time being is made again, before
 * anything was said. Ends early, without an error, when the signal is aborted; throws what the provider threw.
 */
export async function* streamModel(request: ModelRequest): AsyncGenerator<ResponsePart> {
  const { tries = 4, firstWaitMs = 1000, longestWaitMs = 60_000, signal } = request;
  for (let attempt = 1; ; attempt += 1) {
    let hasSpoken = false;
    try {
      for await (const part of streamOnce(request)) {
        hasSpoken = true;
        yield part;
      }
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (hasSpoken || attempt >= tries || !mayPass(error)) throw error;
      const wait = Math.min(longestWaitMs, askedWait(error) ?? firstWaitMs * 2 ** (attempt - 1));
      yield { type: 'notice', text: `The provider is busy: asking again in ${Math.ceil(wait / 1000)} s.` };
      await pause(wait, signal);
      if (signal.aborted) return;
    }
  }
}

async function* streamOnce({
  model,
  prompt,
  signal,
  silenceMs = 120_000,
  responseFormat,
}: ModelRequest): AsyncGenerator<ResponsePart> {
  const silence = new Silence(silenceMs);
  const abortSignal = AbortSignal.any([signal, silence.signal]);
  try {
    const { stream } = await model.doStream({
      prompt,
      abortSignal,
      ...(responseFormat && { responseFormat }),
    });
    let hasEnded = false;
    for await (const part of stream) {
      silence.isBroken();
      if (part.type === 'error') throw part.error;
      if (part.type === 'text-delta') yield { type: 'text', text: part.delta };
      if (part.type !== 'finish') continue;
      hasEnded = !isCut(part);
      yield { type: 'usage', usage: usageOf(part.usage) };
    }
    if (!hasEnded && !signal.aborted) throw new Error('the reply ended in the middle');
  } catch (error) {
    throw silence.signal.aborted ? new Error(`it said nothing for ${Math.round(silenceMs / 1000)} s`) : error;
  } finally {
    silence.end();
  }
}

/** A connection that was closed in the middle looks like an end without a reason. */
function isCut({ finishReason }: Extract<LanguageModelV3StreamPart, { type: 'finish' }>): boolean {
  return finishReason.unified === 'other' && finishReason.raw === undefined;
}

function usageOf({
  inputTokens,
  outputTokens,
}: Extract<LanguageModelV3StreamPart, { type: 'finish' }>['usage']): Usage {
  const { total, noCache, cacheRead, cacheWrite } = inputTokens;
  const fresh =
    noCache ?? (total === undefined ? undefined : Math.max(0, total - (cacheRead ?? 0) - (cacheWrite ?? 0)));
  return {
    ...(fresh === undefined ? {} : { inputTokens: fresh }),
    ...(outputTokens.total === undefined ? {} : { outputTokens: outputTokens.total }),
    ...(cacheRead === undefined ? {} : { cacheReadTokens: cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWriteTokens: cacheWrite }),
  };
}

/** Aborts when nothing happens for a while. */
class Silence {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(afterMs: number) {
    this.#timer = setTimeout(() => this.#controller.abort(), afterMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  isBroken(): void {
    this.#timer.refresh();
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
}
