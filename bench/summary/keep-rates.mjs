import { RENDERINGS } from './render-turns.mjs';

const BUDGET_TOKENS = 500;
const ERROR_WORDS =
  /error|fail|not found|no such|cannot|can't|denied|undefined|unknown|invalid|missing|fatal|panic|exception|unable|expected|unsupported/i;
const UNINFORMATIVE = /task failed|exited with code|^exit status|^FAIL\b|\bfailed:?$|^(ok|PASS)\b/;
const MIN_ERROR_LENGTH = 12;

/**
 * @typedef {object} Sizes
 * @property {number} triggerTokens
 * @property {number} windowTokens
 *
 * @typedef {object} Rates how many of the recurring items each text contains
 * @property {number} items
 * @property {number} summary the extractive summary
 * @property {number} first the first tokens of the removed turns
 * @property {number} last the last tokens of the removed turns
 * @property {number} oracle as many as fit if the recurring items are known
 * @property {number} spans
 * @property {number} summaries
 * @property {number} milliseconds spent on summaries
 */

/** @returns {Rates} */
export function emptyRates() {
  return { items: 0, summary: 0, first: 0, last: 0, oracle: 0, spans: 0, summaries: 0, milliseconds: 0 };
}

/**
 * @typedef {object} Options
 * @property {keyof typeof RENDERINGS} rendering
 * @property {Sizes} sizes
 * @property {{count(text: string): number}} counter
 * @property {(turns: object[], options: object) => string} summarise
 * @property {(summary: string, covers: number) => object[]} pair the turns of a summary
 * @property {number} [rounds] number of compactions. Default 1
 */

/**
 * Compacts each session and counts the recurring items that the summary keeps.
 * @param {import('./replayed-sessions.mjs').Step[][]} sessions
 * @param {Options} options
 * @returns {Rates}
 */
export function measureKeepRates(sessions, options) {
  const rates = emptyRates();
  for (const steps of sessions) {
    const removed = compact(RENDERINGS[options.rendering](steps), options, rates);
    if (removed === undefined) continue;
    const items = findRecurringItems(steps.slice(0, removed.steps), laterText(steps, removed.steps));
    if (items.length === 0) continue;
    const [first, last] = ends(removed.turns, options.counter);
    rates.spans++;
    rates.items += items.length;
    rates.summary += countKept(items, removed.summary);
    rates.first += countKept(items, first);
    rates.last += countKept(items, last);
    rates.oracle += countThatFit(items, options.counter);
  }
  return rates;
}

/** What the last compaction removes, and its summary; undefined if the session is too short. */
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
    if (counter.count(summary) > BUDGET_TOKENS) throw new Error('a summary exceeds its budget');
    if (round === rounds) return { steps, summary, turns: history.slice(0, end) };
    history = [...pair(summary, end).map((turn) => ({ ...turn, step: -1 })), ...history.slice(end)];
  }
}

/** @param {Rates} sum @param {Rates} rates */
export function addRates(sum, rates) {
  for (const key of Object.keys(sum)) sum[key] += rates[key];
}

/** The index of the first turn to keep once the history exceeds the trigger; -1 if it never does. Steps are not split. */
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

/** The rest of the session, rendered without escapes. */
function laterText(steps, cut) {
  return RENDERINGS.shell(steps.slice(cut))
    .map(({ content }) => content)
    .join('\n');
}

function countKept(items, text) {
  return items.filter((item) => occursIn(item.text, text)).length;
}

function countThatFit(items, counter) {
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
    longestWithinBudget((length) => text.slice(0, length), counter),
    longestWithinBudget((length) => text.slice(text.length - length), counter),
  ];
}

function longestWithinBudget(part, counter) {
  let [low, high] = [0, BUDGET_TOKENS * 20];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (counter.count(part(middle)) <= BUDGET_TOKENS) low = middle;
    else high = middle - 1;
  }
  return part(low);
}

/**
 * Finds the items that a summary of `steps` should keep: commands that worked, edited paths and solved error lines that occur
 * verbatim in the rest of the session.
 * @param {import('./replayed-sessions.mjs').Step[]} steps the removed part of the session
 * @param {string} later the text of the rest of the session
 * @returns {{kind: 'command' | 'path' | 'error', text: string}[]}
 */
function findRecurringItems(steps, later) {
  const items = new Map();
  for (const item of allItems(steps)) items.set(`${item.kind} ${item.text}`, item);
  return [...items.values()].filter(({ text }) => occursIn(text, later));
}

/** Whether `whole` contains `text` as a whole word. */
function occursIn(text, whole) {
  for (let at = whole.indexOf(text); at >= 0; at = whole.indexOf(text, at + 1)) {
    if (!isWord(whole[at - 1], text[0]) && !isWord(whole[at + text.length], text.at(-1))) return true;
  }
  return false;
}

function isWord(outside, inside) {
  return /[\w-]/.test(outside ?? '') && /[\w-]/.test(inside);
}

function* allItems(steps) {
  for (const [index, step] of steps.entries()) {
    if (step.kind === 'command' && step.worked && step.text) yield { kind: 'command', text: step.text };
    if (step.kind === 'edit' && step.worked) for (const text of step.paths) yield { kind: 'path', text };
    if (step.kind !== 'command' || !step.failed) continue;
    const line = findErrorLine(step.output);
    const solved = steps
      .slice(index + 1)
      .some((next) => next.kind === 'command' && next.worked && bareCommand(next.text) === bareCommand(step.text));
    if (solved && line.length >= MIN_ERROR_LENGTH) yield { kind: 'error', text: line };
  }
}

/** Removes a leading `cd`, redirections and pipes to `head` or `tail`. */
function bareCommand(command) {
  return command
    .replace(/^cd\s+\S+\s*(?:&&|;)\s*/, '')
    .replace(/\s*(?:\d?>&\d|\|\s*(?:tail|head)\b[^|&;]*)/g, '')
    .trim();
}

function findErrorLine(output) {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  return (
    lines.find((line) => ERROR_WORDS.test(line) && !UNINFORMATIVE.test(line)) ??
    lines.find((line) => ERROR_WORDS.test(line)) ??
    ''
  );
}
