// Tests yore with the real coding agents, a scripted model and no network.
//   npm run test:agents                    all agents, in the versions that yore was last tested with
//   npm run test:agents -- claude-code pi  some of them
//   npm run test:agents -- --newest        the newest versions in the npm registry
//   npm run test:agents -- --keep          keeps homes, projects and requests to the model, and says where
//   npm run test:agents -- --record        only the first two sessions; what agents send to hooks becomes test data
//   npm run test:agents -- --table         also prints the result as a Markdown table
// Agents are installed into a cache folder (about 2 GB for all of them). They run in a network namespace with nothing
// but loopback, with made-up keys and homes. Needs Linux, and root or user namespaces.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** Some agents need a newer Node.js than yore. */
const AGENT_NODE = { folder: 'node', package: 'node', version: '22.23.3' };

/** Where the tests of the agents have what real agents sent to hooks. */
const recorded = join(root, 'test', 'agents', 'recorded');

const { values: options, positionals: chosen } = parseArgs({
  allowPositionals: true,
  options: {
    newest: { type: 'boolean' },
    table: { type: 'boolean' },
    keep: { type: 'boolean' },
    record: { type: 'boolean' },
    filter: { type: 'string', short: 't' },
  },
});

if (process.platform !== 'linux') fail('The agents are run in a network namespace, which only Linux has.');
run(process.execPath, [join(root, 'scripts', 'build.mjs')]);
const agents = await listTestedAgents();
const names = chosen.length > 0 ? chosen : Object.keys(agents);
for (const name of names) {
  if (!(name in agents)) fail(`There is no agent "${name}". Agents: ${Object.keys(agents).join(', ')}.`);
}

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'yore', 'agents');
install(AGENT_NODE);
const versions = Object.fromEntries(
  names.map((name) => {
    const { package: packageName, version } = agents[name];
    const wanted = options.newest ? 'latest' : version;
    return [name, install({ folder: name, package: packageName, version: wanted })];
  }),
);
process.exit(test());

/** The agents with their packages and versions, as the built yore has them. */
async function listTestedAgents() {
  const { AGENTS } = await import(join(root, 'dist', 'agents', 'registry.js'));
  const installations = await Promise.all(
    Object.values(AGENTS).map(async ({ name, loadInstallation }) => [name, (await loadInstallation?.())?.tested]),
  );
  return Object.fromEntries(installations.filter(([, tested]) => tested !== undefined));
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

function run(command, args, more = {}) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...more });
  if (status !== 0) process.exit(status ?? 1);
}

/** Installs a package into a folder of its own, unless that version is there. Returns the version. */
function install({ folder, package: name, version }) {
  const target = join(cache, folder);
  const manifest = join(target, 'node_modules', name, 'package.json');
  if (installedVersion(manifest) === version) return version;
  console.log(`Installing ${name}@${version}`);
  mkdirSync(target, { recursive: true });
  if (!existsSync(join(target, 'package.json'))) writeFileSync(join(target, 'package.json'), '{"private":true}\n');
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', `${name}@${version}`], { cwd: target });
  return installedVersion(manifest);
}

function installedVersion(manifest) {
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : undefined;
}

/** Runs the stories where nothing but 127.0.0.1 can be reached, and processes end with the tests. */
function test() {
  const folder = mkdtempSync(join(tmpdir(), 'yore-agents-'));
  const filter = options.record ? 'works with the scripted model' : options.filter;
  if (options.record) mkdirSync(recorded, { recursive: true });
  const report = join(folder, 'report.json');
  const vitest = [
    join(root, 'node_modules', 'vitest', 'vitest.mjs'),
    ...['run', '--config', join('test', 'real-agents', 'vitest.config.ts'), '--root', root],
    ...['--reporter=verbose', '--reporter=json', `--outputFile.json=${report}`],
    ...(filter ? ['-t', filter] : []),
  ];
  const isRoot = process.getuid?.() === 0;
  const { status } = spawnSync(
    'unshare',
    [
      ...(isRoot ? [] : ['--user', '--map-root-user']),
      ...['--net', '--pid', '--fork', '--mount-proc', '--kill-child'],
      ...['sh', '-c', 'ip link set lo up && exec "$@"', 'sh', process.execPath, ...vitest],
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        TMPDIR: process.env.TMPDIR ?? tmpdir(),
        YORE_AGENT_PACKAGES: cache,
        YORE_AGENTS: JSON.stringify(versions),
        ...(options.record ? { YORE_AGENTS_RECORD: recorded } : {}),
        ...(options.keep ? { YORE_AGENTS_KEEP: '1' } : {}),
      },
    },
  );
  if (options.table && existsSync(report)) printTable(JSON.parse(readFileSync(report, 'utf8')));
  rmSync(folder, { recursive: true, force: true });
  return status ?? 1;
}

/** Agents in rows, what was checked in columns. */
function printTable({ testResults }) {
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  const capabilityOf = ({ title }) => /^([^:]+):/.exec(title)?.[1];
  const columns = [...new Set(results.map(capabilityOf).filter((name) => name !== undefined))];
  const rows = [...new Set(results.map(({ ancestorTitles }) => ancestorTitles[0]))];
  console.log(`\n| agent | ${columns.join(' | ')} |\n|${'---|'.repeat(columns.length + 1)}`);
  for (const row of rows) {
    const cells = columns.map((column) => {
      const found = results.find((result) => result.ancestorTitles[0] === row && capabilityOf(result) === column);
      return found?.status === 'passed' ? 'yes' : found?.status === 'failed' ? '**no**' : '–';
    });
    console.log(`| ${row} | ${cells.join(' | ')} |`);
  }
}
