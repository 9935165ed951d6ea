import { append } from '../benchmarks/append.mjs';
import { cache } from '../benchmarks/cache.mjs';
import { chat } from '../benchmarks/chat.mjs';
import { find } from '../benchmarks/find.mjs';
import { guard } from '../benchmarks/guard.mjs';
import { hook } from '../benchmarks/hook.mjs';
import { importing } from '../benchmarks/import.mjs';
import { index } from '../benchmarks/index.mjs';
import { locomo } from '../benchmarks/locomo.mjs';
import { overview } from '../benchmarks/overview.mjs';
import { recall } from '../benchmarks/recall.mjs';
import { redact } from '../benchmarks/redact.mjs';
import { replay } from '../benchmarks/replay.mjs';
import { search } from '../benchmarks/search.mjs';
import { segment } from '../benchmarks/segment.mjs';
import { sessions } from '../benchmarks/sessions.mjs';
import { shell } from '../benchmarks/shell.mjs';
import { summary } from '../benchmarks/summary.mjs';
import { team } from '../benchmarks/team.mjs';
import { tokens } from '../benchmarks/tokens.mjs';
import { web } from '../benchmarks/web.mjs';

/**
 * @typedef {object} Benchmark
 * @property {string} group
 * @property {string} description
 * @property {Record<string, string>} names its figures, with the meaning of each
 * @property {(context: import('./context.mjs').Context) => AsyncIterable<import('./result.mjs').Result>} run
 */

/** In the order they run. @type {Benchmark[]} */
export const BENCHMARKS = [
  append,
  redact,
  importing,
  index,
  search,
  sessions,
  shell,
  overview,
  find,
  locomo,
  recall,
  guard,
  hook,
  chat,
  web,
  team,
  replay,
  tokens,
  segment,
  summary,
  cache,
];

/**
 * Finds the benchmarks for `names`, and a filter for their results. A name is a group (`search`), a result
 * (`search.p95`) or a prefix of results (`search.ratio`). Without names, everything is selected.
 * @param {string[]} names
 */
export function select(names) {
  const unknown = names.find((name) => !BENCHMARKS.some((benchmark) => matches(benchmark, name)));
  if (unknown !== undefined) {
    const groups = BENCHMARKS.map((benchmark) => benchmark.group).join(', ');
    return {
      problem: `Unknown benchmark ${unknown}. Groups: ${groups}. --list shows the figures of each.`,
    };
  }
  if (names.length === 0) return { benchmarks: BENCHMARKS, shows: () => true };
  return {
    benchmarks: BENCHMARKS.filter((benchmark) => names.some((name) => matches(benchmark, name))),
    shows: (result) => names.some((name) => result === name || isWithin(result, name) || !result.includes('.')),
  };
}

function matches({ group, names }, name) {
  return group === name || Object.keys(names).some((own) => own === name || isWithin(own, name) || isWithin(name, own));
}

function isWithin(result, name) {
  return result.startsWith(`${name}.`);
}
