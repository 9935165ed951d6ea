// Scores a program on corpora that `npm run corpus` made.
//   npm run score -- find|replay CORPORA [options] [-- COMMAND...]        see --help
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createProgress, fail, print } from './runner/terminal.mjs';
import { readQuestions, scoreFind } from './scorers/find.mjs';
import { scoreReplay } from './scorers/replay.mjs';

const HELP = `npm run score -- find|replay CORPORA [options] [-- COMMAND...]

Scores a program on the corpora in the folder CORPORA, which \`npm run corpus\` made.

  find     in which session was this done? any@1, any@5, any@10 and MRR, for questions that the session says word for
           word (said) and others (other)
  replay   would a warning have been right? precision, helpful warnings, repeated failures caught, false warnings

  --json   print the report as JSON
  --       the program, which reads and writes JSON lines (default: yore; see docs/benchmarks.md)

Examples:
  npm run score -- find corpora
  npm run score -- replay corpora --json
  npm run score -- find corpora -- python3 my-search.py

Exit code: 0 scored, 1 the program failed, 2 there is nothing to score.`;

const SCORERS = {
  async find(folder, options) {
    const asked = readQuestions({ find: join(folder, 'find'), replay: join(folder, 'replay') });
    return asked.length === 0 ? undefined : await scoreFind(asked, options);
  },
  async replay(folder, options) {
    const corpora = join(folder, 'replay');
    const names = existsSync(corpora) ? readdirSync(corpora).filter((name) => name.endsWith('.jsonl.gz')) : [];
    if (names.length === 0) return undefined;
    return await scoreReplay(
      names.sort().map((name) => join(corpora, name)),
      options,
    );
  },
};

/** @param {string[]} argv @returns {Promise<number>} the exit code */
async function main(argv) {
  const options = parseOptions(argv);
  if (typeof options === 'string') return fail(options);
  if (options.help) return print(HELP);
  const { benchmark, folder, json, command } = options;
  const progress = createProgress(process.stderr);
  progress.begin(benchmark);
  try {
    const report = await SCORERS[benchmark](folder, { command, log: progress.log });
    if (report === undefined) {
      return fail(`There are no corpora for ${benchmark} in ${folder}. Make them with \`npm run corpus\`.`, 2);
    }
    const format = benchmark === 'find' ? formatFind : formatReplay;
    return print(json ? JSON.stringify(report, null, 2) : format(report));
  } catch (error) {
    return fail(error.message, 1);
  }
}

function parseOptions(argv) {
  try {
    const split = argv.indexOf('--');
    const [own, given] = split < 0 ? [argv, []] : [argv.slice(0, split), argv.slice(split + 1)];
    const { values, positionals } = parseArgs({
      args: own,
      allowPositionals: true,
      options: {
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) return { help: true };
    const [benchmark, folder] = positionals;
    if (positionals.length !== 2 || !Object.hasOwn(SCORERS, benchmark)) return HELP;
    const adapter = fileURLToPath(new URL(`adapters/${benchmark}.mjs`, import.meta.url));
    const command = given.length > 0 ? given : [process.execPath, adapter];
    return { benchmark, folder: resolve(folder), json: values.json, command };
  } catch (error) {
    return `${error.message}\n\n${HELP}`;
  }
}

function formatFind({ all, groups, corpora, latencyMs }) {
  const columns = ['questions', 'any@1', 'any@5', 'any@10', 'mrr'];
  const rows = Object.entries({ all, ...groups, ...corpora });
  const lines = rows.map(([name, score]) => [name, ...columns.map((column) => formatNumber(score[column]))]);
  const speed = `query: median ${latencyMs.p50.toFixed(1)} ms, p95 ${latencyMs.p95.toFixed(1)} ms`;
  return `${align([['', ...columns], ...lines])}\n${speed}`;
}

function formatReplay({ all, corpora, latencyMs }) {
  const caught = ({ caught: part, calls }) => `${part}/${calls}`;
  const columns = {
    calls: ({ calls }) => formatNumber(calls),
    failures: ({ failures }) => formatNumber(failures),
    warned: ({ warned }) => formatNumber(warned),
    'precision %': ({ precision }) => formatNumber(precision),
    'helpful %': ({ helpful }) => formatNumber(helpful),
    'false/1000': ({ falsePer1000 }) => formatNumber(falsePer1000),
    'same session': ({ sameSession }) => caught(sameSession),
    'other session': ({ crossSession }) => caught(crossSession),
    avoidable: ({ avoidable }) => caught(avoidable),
    kin: ({ kin }) => caught(kin),
  };
  const rows = Object.entries({ all, ...corpora });
  const lines = rows.map(([name, score]) => [name, ...Object.values(columns).map((cell) => cell(score))]);
  const speed = `reply: median ${latencyMs.p50.toFixed(1)} ms, p99 ${latencyMs.p99.toFixed(1)} ms`;
  return `${align([['', ...Object.keys(columns)], ...lines])}\n${speed}`;
}

function formatNumber(value) {
  if (value === null) return '–';
  return Number.isInteger(value) ? String(value) : value.toFixed(1);
}

function align(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map((row) => row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))))
    .map((cells) => cells.join('  '))
    .join('\n');
}

process.exitCode = await main(process.argv.slice(2));
