import { type ReadonlySignal, signal } from '@preact/signals';
import { server } from '../rpc/server.ts';
import { debounced } from '../text/debounced.ts';
import { ofProject } from './of-project.ts';

/** Earlier prompts that begin or go on like what is being typed. */
export interface Suggestions {
  readonly prompts: readonly string[];
  /** The one that the keys have reached; -1: none. */
  readonly at: number;
}

const NONE: Suggestions = { prompts: [], at: -1 };
const ASK_AFTER_MS = 120;
const SHORTEST = 2;
const LONGEST = 200;
const MOST = 6;

const list = signal<Suggestions>(NONE);
let wanted = '';
const asking = debounced((typed: string) => void ask(typed), ASK_AFTER_MS);

export const suggestions: ReadonlySignal<Suggestions> = list;

/** Looks for prompts that fit what was typed. */
export function suggest(typed: string): void {
  wanted = typed;
  const isWorthIt = typed.trim().length >= SHORTEST && typed.length <= LONGEST && !typed.includes('\n');
  if (isWorthIt) asking.later(typed);
  else closeSuggestions();
}

/** Takes the list away. */
export function closeSuggestions(): void {
  wanted = '';
  asking.cancel();
  if (list.value !== NONE) list.value = NONE;
}

/** Goes to the next or the previous one; before the first is none. False where there is nowhere to go. */
export function moveSuggestion(step: 1 | -1): boolean {
  const { prompts, at } = list.value;
  const isPossible = prompts.length > 0 && (step === 1 || at >= 0);
  if (isPossible) list.value = { prompts, at: Math.min(at + step, prompts.length - 1) };
  return isPossible;
}

async function ask(prefix: string): Promise<void> {
  // Without suggestions one can still type.
  const answer = await server.call('prompts.suggest', { ...ofProject(), prefix }).catch(() => undefined);
  if (answer === undefined || prefix !== wanted) return;
  list.value = { prompts: answer.prompts.filter((prompt) => prompt !== prefix).slice(0, MOST), at: -1 };
}
