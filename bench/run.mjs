// Runs the benchmarks of the project against the built product.
//   npm run bench [-- [NAME...] [options]]        see --help
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BENCHMARKS, select } from './runner/benchmarks.mjs';
import { findBuildProblem } from './runner/build.mjs';
import { createContext } from './runner/context.mjs';
import { HELP, parseOptions } from './runner/options.mjs';
import { failed, isOk } from './runner/result.mjs';
import { createProgress, formatList, formatTable } from './runner/terminal.mjs';

// Costs every Node.js process that is started some 70 ms, and none of them needs the network.
delete process.env.NODE_EXTRA_CA_CERTS;

process.exitCode = await main(process.argv.slice(2));

/** @param {string[]} argv @returns {Promise<number>} the exit code */
async function main(argv) {
  const options = parseOptions(argv);
  if ('problem' in options) return complain(options.problem);
  if (options.help) return print(HELP);
  if (options.list) return print(formatList(BENCHMARKS));
  const selected = select(options.names);
  if ('problem' in selected) return complain(selected.problem);
  const buildProblem = findBuildProblem(options.dist);
  if (buildProblem) return complain(buildProblem);

  const scratch = mkdtempSync(join(tmpdir(), 'yore-bench-run-'));
  try {
    const results = await runAll(selected.benchmarks, options, scratch);
    const shown = results.filter((result) => selected.shows(result.name));
    print(options.json ? JSON.stringify(shown.map(toJson), null, 2) : formatTable(shown, process.stdout));
    return shown.every(isOk) ? 0 : 1;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function runAll(benchmarks, options, scratch) {
  const progress = createProgress(process.stderr);
  const context = createContext({ options, scratch, progress });
  const results = [];
  for (const benchmark of benchmarks) {
    progress.begin(benchmark.group);
    try {
      for await (const result of benchmark.run(context)) results.push(result);
    } catch (error) {
      progress.say(`failed: ${error instanceof Error ? (error.stack ?? error.message) : error}`);
      results.push(failed(benchmark.group));
    }
  }
  progress.end();
  await context.close();
  return results;
}

function toJson({ name, value, unit, limit, ok }) {
  return { name, value, unit, limit, ok };
}

function print(text) {
  process.stdout.write(`${text}\n`);
  return 0;
}

function complain(problem) {
  process.stderr.write(`${problem}\n`);
  return 2;
}
