// Runs the benchmarks on the build.
//   npm run bench -- [NAME...] [options]        see --help
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { BENCHMARKS, select } from './runner/benchmarks.mjs';
import { createContext } from './runner/context.mjs';
import { HELP, parseOptions, ROOT } from './runner/options.mjs';
import { failed } from './runner/result.mjs';
import { createProgress, fail, formatList, formatTable, print } from './runner/terminal.mjs';

// It costs every Node.js process about 70 ms, and none of them needs the network.
delete process.env.NODE_EXTRA_CA_CERTS;

process.exitCode = await main(process.argv.slice(2));

/** @param {string[]} argv @returns {Promise<number>} the exit code */
async function main(argv) {
  const options = parseOptions(argv);
  if ('problem' in options) return fail(options.problem);
  if (options.help) return print(HELP);
  if (options.list) return print(formatList(BENCHMARKS));
  const selected = select(options.names);
  if ('problem' in selected) return fail(selected.problem);
  const buildProblem = findBuildProblem(options.dist);
  if (buildProblem) return fail(buildProblem);

  const scratch = mkdtempSync(join(tmpdir(), 'yore-bench-run-'));
  try {
    const results = await runAll(selected.benchmarks, options, scratch);
    const shown = results.filter((result) => selected.shows(result.name));
    print(options.json ? JSON.stringify(shown.map(toJson), null, 2) : formatTable(shown, process.stdout));
    return shown.every(({ ok }) => ok) ? 0 : 1;
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
      progress.log(`failed: ${error instanceof Error ? (error.stack ?? error.message) : error}`);
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

/**
 * Why the build cannot be measured; undefined if it can. A build is out of date when a source is newer than its oldest
 * file.
 * @param {string} dist
 */
function findBuildProblem(dist) {
  const built = existsSync(dist) ? modifiedTimes(dist, '.js') : [];
  if (built.length === 0) return `There is no build in ${dist}. Run \`npm run build\` first.`;
  const newest = modifiedTimes(join(ROOT, 'src'), '.ts').reduce((a, b) => (b.time > a.time ? b : a));
  const oldest = built.reduce((a, b) => (b.time < a.time ? b : a));
  if (newest.time <= oldest.time) return undefined;
  return `${basename(newest.path)} is newer than the build in ${dist}. Run \`npm run build\` first.`;
}

function modifiedTimes(folder, extension) {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(extension))
    .map((name) => join(folder, name))
    .map((path) => ({ path, time: statSync(path).mtimeMs }));
}
