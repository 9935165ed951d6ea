// What each part of the ranking of questions adds: scores `find` and LoCoMo with one part at a time switched off.
//   npm run ablation -- [--shared DIR] [PART...]
import { execFile } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { readQuestions, scoreFind } from './scorers/find.mjs';

/** The parameters of src/search/rank/question-rank.ts that switch a part off. */
const PARTS = {
  nothing: {},
  output: { output: 1 },
  passages: { passages: 1 },
  first: { first: 0 },
  pair: { pair: 0 },
  lengthPenalty: { lengthPenalty: 0.4 },
  literal: { literal: 0 },
  neighbours: { neighbour: 0, farNeighbour: 0, answer: 0 },
  time: { time: 1 },
  agent: { agent: 1 },
};

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values, positionals } = parseArgs({
  options: { shared: { type: 'string', default: join(root, '..', 'shared') } },
  allowPositionals: true,
});
const bench = join(values.shared, 'bench');
const asked = readQuestions({ find: join(bench, 'find', 'dev'), replay: join(bench, 'replay') });
for (const name of positionals.length > 0 ? positionals : Object.keys(PARTS)) {
  if (PARTS[name] === undefined) throw new Error(`unknown part ${name}: one of ${Object.keys(PARTS).join(', ')}`);
  const dist = buildWith(PARTS[name]);
  try {
    console.log(`${name.padEnd(14)} find ${await find(dist)}   LoCoMo ${await locomo(dist)}`);
  } finally {
    rmSync(dist, { recursive: true });
  }
}

/** A copy of the build with other parameters, beside it, so that it finds its packages. */
function buildWith(parameters) {
  const dist = join(root, `dist.ablation-${process.pid}.tmp`);
  cpSync(join(root, 'dist'), dist, { recursive: true, filter: (path) => !path.startsWith(join(root, 'dist', 'web')) });
  const file = join(dist, 'search', 'rank', 'question-rank.js');
  const source = Object.entries(parameters).reduce(
    (text, [name, value]) => {
      const changed = text.replace(new RegExp(`^(\\s+${name}: )[\\d.]+,$`, 'm'), `$1${value},`);
      if (changed === text) throw new Error(`${file} has no parameter ${name} other than ${value}`);
      return changed;
    },
    readFileSync(file, 'utf8'),
  );
  writeFileSync(file, source);
  return dist;
}

async function find(dist) {
  const command = [process.execPath, join(root, 'bench', 'adapters', 'find.mjs'), '--dist', dist];
  const { groups } = await scoreFind(asked, { command, log: () => {} });
  const figures = ({ 'any@1': one, 'any@5': five, 'any@10': ten }) => [one, five, ten].map(round).join(' / ');
  return `${figures(groups.other)} (said ${figures(groups.said)})`;
}

async function locomo(dist) {
  const command = [process.execPath, join(root, 'bench', 'adapters', 'locomo.mjs'), '--dist', dist];
  const scorer = join(bench, 'locomo', 'score.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [scorer, '--json', '--', ...command]);
  const score = JSON.parse(stdout).scores['1-4'];
  const percent = (figure) => round(score[figure] * 100);
  return `${percent('recall@5')} / ${percent('recall@10')}, ${percent('any@1')}, ${percent('all@5')}`;
}

function round(value) {
  return value.toFixed(1);
}
