import type { TextLists } from '../../config/index.ts';
import { type AttemptContext, type ServedRequest, servedRequest } from './attempt-of.ts';

/** Makes the surroundings of calls out of requests. Calls that serve one request mostly follow each other. */
export class CallContext {
  readonly #extraTags: TextLists | undefined;
  #last: { readonly text: string; readonly served: ServedRequest } | undefined;

  /** `extraTags`: the setting `tags.extra`. */
  constructor(extraTags: TextLists) {
    this.#extraTags = Object.keys(extraTags).length === 0 ? undefined : extraTags;
  }

  /** A request as it is kept with the calls that serve it. */
  serve(text: string): ServedRequest {
    if (this.#last?.text !== text) this.#last = { text, served: servedRequest(text, this.#extraTags) };
    return this.#last.served;
  }

  /** What surrounds a call that serves a request, or none. */
  around(request: ServedRequest | undefined): AttemptContext {
    return {
      ...(request === undefined ? {} : { request }),
      ...(this.#extraTags === undefined ? {} : { extraTags: this.#extraTags }),
    };
  }
}
