import { itemsThatRecur, occursIn } from './items.mjs';
import { RENDERINGS } from './render-turns.mjs';

const BUDGET_TOKENS = 500;

/**
 * @typedef {object} Sizes
 * @property {number} triggerTokens
 * @property {number} windowTokens
 *
 * @typedef {object} Rates how many of the recurring items each kind of text contains
 * @property {number} items
 * @property {number} summary the extractive one
 * @property {number} first the first tokens of the removed turns
 * @property {number} last the last tokens of the removed turns
 * @property {number} oracle the most that fit if the recurring items are known
 * @property {number} spans
 * @property {number} summaries
 * @property {number} milliseconds spent on summaries
 */

/** @returns {Rates} */
export function noRates() {
  return { items: 0, summary: 0, first: 0, last: 0, oracle: 0, spans: 0, summaries: 0, milliseconds: 0 };
}

/**
 * @typedef {object} Options
 * @property {keyof typeof RENDERINGS} rendering
 * @property {Sizes} sizes
 * @property {{count(text: string): number}} counter
 * @property {(turns: object[], options: object) => string} summarise
 * @property {(summary: string, covers: number) => object[]} pair the turns of a summary
 * @property {number} [rounds] how often the history is compacted. Default: 1
 */

/**
 * Removes the beginning of each session like a compaction and counts the items that the summary keeps.
 * @param {import('./replayed-sessions.mjs').Step[][]} sessions
 * @param {Options} options
 * @returns {Rates}
 */
export function keepRates(sessions, options) {
  const rates = noRates();
  for (const steps of sessions) {
    const removed = compact(RENDERINGS[options.rendering](steps), options, rates);
    if (removed === undefined) continue;
    const items = itemsThatRecur(steps.slice(0, removed.steps), laterText(steps, removed.steps));
    if (items.length === 0) continue;
    const [first, last] = ends(removed.turns, options.counter);
    rates.spans++;
    rates.items += items.length;
    rates.summary += held(items, removed.summary);
    rates.first += held(items, first);
    rates.last += held(items, last);
    rates.oracle += mostThatFit(items, options.counter);
  }
  return rates;
}

/** What the last round removes, and its summary; undefined if the session is too short. */
function compact(turns, { sizes, counter, summarise, pair, rounds = 1 }, rates) {
  let history = turns;
  for (let round = 1; ; round++) {
    const end = endOfSpan(history, sizes, counter);
    const steps = history[end]?.step;
    if (steps === undefined) return undefined;
    const start = performance.now();
    const summary = summarise(history.slice(0, end), { budgetTokens: BUDGET_TOKENS, counter });
    rates.milliseconds += performance.now() - start;
    rates.summaries++;
    if (counter.count(summary) > BUDGET_TOKENS) throw new Error('a summary is above its budget');
    if (round === rounds) return { steps, summary, turns: history.slice(0, end) };
    history = [...pair(summary, end).map((turn) => ({ ...turn, step: -1 })), ...history.slice(end)];
  }
}

/** @param {Rates} sum @param {Rates} rates */
export function addRates(sum, rates) {
  for (const key of Object.keys(sum)) sum[key] += rates[key];
}

/** The first turn that is kept when the history first exceeds the trigger; it is the first turn of a step. */
function endOfSpan(turns, { triggerTokens, windowTokens }, counter) {
  let tokens = 0;
  let end = -1;
  for (const [index, { content, step }] of turns.entries()) {
    tokens += counter.count(content) + 4;
    const isFirst = turns[index - 1]?.step !== step;
    if (end < 0 && index > 0 && isFirst && tokens > triggerTokens - windowTokens) end = index;
    if (tokens > triggerTokens) return end;
  }
  return -1;
}

/** The rest of the session, without the escapes of some renderings. */
function laterText(steps, cut) {
  return RENDERINGS.shell(steps.slice(cut))
    .map(({ content }) => content)
    .join('\n');
}

function held(items, text) {
  return items.filter((item) => occursIn(item.text, text)).length;
}

function mostThatFit(items, counter) {
  let left = BUDGET_TOKENS;
  const costs = items.map(({ text }) => counter.count(text) + 1).sort((one, other) => one - other);
  const tooMany = costs.findIndex((cost) => {
    left -= cost;
    return left < 0;
  });
  return tooMany < 0 ? costs.length : tooMany;
}

/** The first and the last tokens of a span, limited to the budget of a summary. */
function ends(turns, counter) {
  const text = turns.map(({ content }) => content).join('\n');
  return [
    longest((length) => text.slice(0, length), counter),
    longest((length) => text.slice(text.length - length), counter),
  ];
}

function longest(part, counter) {
  let [low, high] = [0, BUDGET_TOKENS * 20];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (counter.count(part(middle)) <= BUDGET_TOKENS) low = middle;
    else high = middle - 1;
  }
  return part(low);
}
