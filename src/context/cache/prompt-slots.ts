import type { ChangeChances } from './change-chances.ts';
import type { Slot } from './choose-marks.ts';
import type { ItemState } from './item-state.ts';
import { TIERS, type Tier } from './tier.ts';

/** What the tracker does not know the size of: the system prompt and what is beside the files. */
const SYSTEM_TOKENS = 3_000;
const PROMPT_TOKENS = 100;

/** A prompt as the tracker knows it. */
export interface KnownPrompt {
  /** Symbols and files of each tier, in order. */
  readonly sections: readonly (readonly ItemState[])[];
  readonly history: readonly ItemState[];
  /** How many messages are sent with L3. */
  readonly settled: number;
  readonly chances: ChangeChances;
}

/** The slots of a prompt; what tells whether two prompts begin alike, and how much of that each slot ends with. */
export interface PromptSlots {
  readonly slots: readonly Slot[];
  readonly versions: readonly unknown[];
  readonly ends: readonly number[];
}

/** Lays a prompt out in the order in which it is sent. */
export function promptSlots({ sections, history, settled, chances }: KnownPrompt): PromptSlots {
  const slots: Slot[] = [];
  const versions: unknown[] = [];
  const ends: number[] = [];
  const add = (slot: Slot, states: readonly ItemState[] = []) => {
    for (const state of states) versions.push(state.key, state.hash);
    slots.push(slot);
    ends.push(versions.length);
  };
  const addMessages = (messages: readonly ItemState[], isEnd: boolean) => {
    for (const [index, state] of messages.entries()) {
      const markable = isEnd && index === messages.length - 1;
      add({ key: state.key, tokens: state.tokens, chance: 0, markable }, [state]);
    }
  };
  // L0 is one text with the system prompt.
  const [system = [], ...others] = sections;
  add(
    {
      key: 'system',
      tokens: SYSTEM_TOKENS + tokensOf(system),
      chance: chances.ofAny(system),
      markable: true,
    },
    system,
  );
  for (const [index, items] of others.entries()) {
    const tier = TIERS[index + 1] as Tier;
    // A heading of its own: the same file in another tier is another text.
    versions.push(tier);
    const symbols = items.filter(({ kind }) => kind === 'symbol');
    if (symbols.length > 0) {
      add(
        { key: `symbols:${tier}`, tokens: tokensOf(symbols), chance: chances.ofAny(symbols), markable: true },
        symbols,
      );
    }
    for (const state of items) {
      if (state.kind !== 'file') continue;
      add({ key: state.key, tokens: state.tokens, chance: chances.of(state), markable: true }, [state]);
    }
    if (tier === 'L3') addMessages(history.slice(0, settled), true);
  }
  const newest = history.slice(settled);
  const firstNew = newest[0];
  // A new file comes before the newest messages.
  if (firstNew === undefined) {
    add({ key: 'prompt', tokens: PROMPT_TOKENS, chance: chances.ofNew(), markable: true });
    return { slots, versions, ends };
  }
  add({ key: firstNew.key, tokens: firstNew.tokens, chance: chances.ofNew(), markable: false }, [firstNew]);
  addMessages(newest.slice(1), false);
  add({ key: 'prompt', tokens: PROMPT_TOKENS, chance: 0, markable: true });
  return { slots, versions, ends };
}

function tokensOf(states: readonly ItemState[]): number {
  return states.reduce((sum, { tokens }) => sum + tokens, 0);
}
