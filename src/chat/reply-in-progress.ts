import type { Usage } from '../record/index.ts';

/** What has been said of a reply so far. */
export class ReplyInProgress {
  #text = '';
  #usage: Usage | undefined;
  readonly #onText: (text: string) => void;

  constructor(onText: (text: string) => void) {
    this.#onText = onText;
  }

  get isEmpty(): boolean {
    return this.#text === '';
  }

  take(
    part:
      | { readonly type: 'text'; readonly text: string }
      | { readonly type: 'usage'; readonly usage: Usage },
  ): void {
    if (part.type === 'usage') {
      this.#usage = part.usage;
      return;
    }
    this.#text += part.text;
    if (part.text !== '') this.#onText(part.text);
  }

  end(): { readonly text: string; readonly usage?: Usage } {
    return { text: this.#text, ...(this.#usage === undefined ? {} : { usage: this.#usage }) };
  }
}
