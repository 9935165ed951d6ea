import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { Usage } from '../../record/index.ts';
import type { Ledger, LedgerLine } from '../ledger.ts';
import type { Responder, ResponderRequest, ResponsePart } from '../responder.ts';
import { languagePrompt } from './language-prompt.ts';
import { modelError } from './model-error.ts';
import type { ModelSettings } from './model-settings.ts';
import { openModel } from './open-model.ts';
import { type Patience, streamModel } from './stream-model.ts';

/** What a model needs from around it. */
export interface ModelSurroundings {
  /** Where the keys are. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly ledger: Ledger;
  /** Id of the project, for the ledger. */
  readonly project: string;
  readonly patience?: Patience;
}

/** A model that answers. Nothing is loaded before the first question or {@link ModelResponder.warmUp}. */
export class ModelResponder implements Responder {
  readonly kind = 'model';
  readonly name: string;
  readonly #settings: ModelSettings;
  readonly #surroundings: ModelSurroundings;
  #model: Promise<LanguageModelV3> | undefined;

  constructor(settings: ModelSettings, surroundings: ModelSurroundings) {
    this.name = `${settings.provider}/${settings.name}`;
    this.#settings = settings;
    this.#surroundings = surroundings;
  }

  /** Loads what the first question needs, in a moment when nobody waits. A problem shows with the question. */
  async warmUp(): Promise<void> {
    await this.#open().catch(() => undefined);
  }

  async *respond({ messages, signal }: ResponderRequest): AsyncIterable<ResponsePart> {
    const { ledger, project, patience } = this.#surroundings;
    let usage: Usage | undefined;
    let outcome: LedgerLine['outcome'] = 'failed';
    let isAsked = false;
    try {
      const model = await this.#open();
      isAsked = true;
      for await (const part of streamModel({
        model,
        prompt: languagePrompt(messages),
        signal,
        ...patience,
      })) {
        if (part.type === 'usage') usage = part.usage;
        yield part;
      }
      outcome = signal.aborted ? 'cancelled' : 'ok';
    } catch (error) {
      throw modelError(error, this.#settings);
    } finally {
      if (signal.aborted) outcome = 'cancelled';
      if (isAsked) {
        ledger.note({
          why: 'chat',
          project,
          model: this.name,
          outcome,
          ...(usage === undefined ? {} : { usage }),
        });
      }
    }
  }

  #open(): Promise<LanguageModelV3> {
    this.#model ??= openModel(this.#settings, this.#settings.name, this.#surroundings.env).catch(
      (error: unknown) => {
        this.#model = undefined;
        throw error;
      },
    );
    return this.#model;
  }
}
