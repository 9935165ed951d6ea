import { type ReadonlySignal, signal } from '@preact/signals';
import { server } from '../rpc/server.ts';
import { projectParam } from '../shell/project-store.ts';
import { debounce } from '../shell/timing.ts';

/** Earlier prompts that match the draft. */
export interface Suggestions {
  readonly prompts: readonly string[];
  /** Index of the selected one; -1 for none. */
  readonly selected: number;
}

const NO_SUGGESTIONS: Suggestions = { prompts: [], selected: -1 };
const DEBOUNCE_MS = 120;
const MIN_LENGTH = 2;
const MAX_LENGTH = 200;
const MAX_SUGGESTIONS = 6;

const list = signal<Suggestions>(NO_SUGGESTIONS);
let wanted = '';
const fetchLater = debounce((draft: string) => void fetchSuggestions(draft), DEBOUNCE_MS);

export const suggestions: ReadonlySignal<Suggestions> = list;

/** Looks up suggestions for the draft. */
export function suggest(draft: string): void {
  wanted = draft;
  const isSuitable = draft.trim().length >= MIN_LENGTH && draft.length <= MAX_LENGTH && !draft.includes('\n');
  if (isSuitable) fetchLater.later(draft);
  else closeSuggestions();
}

export function closeSuggestions(): void {
  wanted = '';
  fetchLater.cancel();
  if (list.value !== NO_SUGGESTIONS) list.value = NO_SUGGESTIONS;
}

/** Selects the next or the previous suggestion; before the first is none. Returns false when there is nowhere to go. */
export function moveSelection(step: 1 | -1): boolean {
  const { prompts, selected } = list.value;
  const isPossible = prompts.length > 0 && (step === 1 || selected >= 0);
  if (isPossible) list.value = { prompts, selected: Math.min(selected + step, prompts.length - 1) };
  return isPossible;
}

async function fetchSuggestions(prefix: string): Promise<void> {
  // Suggestions are best-effort.
  const found = await server.call('prompts.suggest', { ...projectParam(), prefix }).catch(() => undefined);
  if (found === undefined || prefix !== wanted) return;
  const prompts = found.prompts.filter((prompt) => prompt !== prefix).slice(0, MAX_SUGGESTIONS);
  list.value = { prompts, selected: -1 };
}

/** Steps through earlier prompts, the latest first, and back to the draft. */
class PromptRecall {
  #prompts: readonly string[] = [];
  #draft = '';
  #index = -1;

  /** The prompt before the current one; undefined when there is none. */
  async older(draft: string): Promise<string | undefined> {
    if (this.#index < 0) {
      this.#draft = draft;
      const found = await server.call('prompts.recall', projectParam());
      this.#prompts = found.prompts;
    }
    const prompt = this.#prompts[this.#index + 1];
    if (prompt !== undefined) this.#index += 1;
    return prompt;
  }

  /** The prompt after the current one, at last the draft; undefined when the draft is shown. */
  newer(): string | undefined {
    if (this.#index < 0) return undefined;
    this.#index -= 1;
    return this.#index < 0 ? this.#draft : this.#prompts[this.#index];
  }

  get isActive(): boolean {
    return this.#index >= 0;
  }

  /** Ends it: the text in the message box is the draft now. */
  stop(): void {
    this.#index = -1;
  }
}

export const promptRecall: PromptRecall = new PromptRecall();
