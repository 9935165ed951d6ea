import { once } from '../../record/once.ts';
import { stem } from '../../text/stem.ts';
import { splitWords } from '../../text/words.ts';
import type { Episode } from './episode.ts';
import { promptTerms } from './terms.ts';

/** A prompt that asks, and does not order, wants to know; there is nothing to be done again. */
const QUESTION =
  /\?\s*$|^\s*(?:what|why|how|when|where|which|who|is|are|was|were|does|did|do|has|have|should)\b/i;

/** Verbs that order the same: who asks to add a thing did not get it by its removal. */
const orders: () => ReadonlyMap<string, string> = once(
  () =>
    new Map(
      Object.entries({
        add: 'add create write implement build introduce make generate support set setup enable integrate provide',
        remove: 'remove delete drop disable strip uninstall',
        repair: 'fix repair solve resolve debug correct',
        change: 'update upgrade bump migrate switch convert replace change refactor improve',
        name: 'rename move',
      }).flatMap(([order, verbs]) => verbs.split(' ').map((verb) => [stem(verb), order])),
    ),
);

/** Steps that leave something behind. */
const LASTING: ReadonlySet<string> = new Set(['create', 'edit', 'install', 'commit']);
/** How much of what the prompt asks for must be in what was asked and decided then. */
const COVERED = 0.85;

/** Whether the prompt orders something that the episode shows as done. */
export function isDone(prompt: string, { request, decision, steps, outcome }: Episode): boolean {
  if (QUESTION.test(prompt) || outcome === 'failed') return false;
  if (decision === undefined && !steps.some(({ kind }) => LASTING.has(kind))) return false;
  const then = `${request?.text ?? ''}\n${decision ?? ''}`;
  const orders = ordersIn(then);
  const order = ordersIn(prompt)[0];
  if (order === undefined || !orders.includes(order) || (orders.includes('remove') && order !== 'remove'))
    return false;
  return shareOf(prompt, then) >= COVERED;
}

function ordersIn(text: string): readonly string[] {
  return splitWords(text)
    .map(({ text: word }) => orders().get(stem(word)))
    .filter((order) => order !== undefined);
}

/** How much of what the prompt says is in the text, 0 to 1. */
function shareOf(prompt: string, text: string): number {
  const terms = new Set(promptTerms(text).words.map(({ term }) => term));
  let [covered, total] = [0, 0];
  for (const { term, weight, isName } of promptTerms(prompt).words) {
    if (isName) continue;
    total += weight;
    if (terms.has(term)) covered += weight;
  }
  return total === 0 ? 0 : covered / total;
}
