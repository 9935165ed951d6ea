// The test command: builds, makes sure that what the tests need from the system is there, runs them, and names
// what had to be skipped. With CI set, a skip is a failure.
//   node scripts/test.mjs [vitest arguments]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** What tests start besides Node.js: the command to look for and the Debian package that has it. */
const NEEDS = [
  { command: 'git', package: 'git', for: 'project identity' },
  { command: 'bash', package: 'bash', for: 'shell completion' },
  { command: 'zsh', package: 'zsh', for: 'shell completion' },
  { command: 'fish', package: 'fish', for: 'shell completion' },
  { command: 'unshare', package: 'util-linux', for: 'a full disk' },
  { command: 'python3', package: 'python3-minimal', for: 'a pseudo-terminal' },
  { command: 'chromium', package: 'chromium', for: 'the browser app' },
];

const environment = { ...process.env };
// Costs every Node.js process of the tests some 70 ms, and none of them needs the network.
delete environment.NODE_EXTRA_CA_CERTS;

const missing = NEEDS.filter(({ command }) => !isInstalled(command));
if (missing.length > 0 && canInstall()) install(missing.map((need) => need.package));

run(process.execPath, [join(root, 'scripts', 'build.mjs')]);
const report = join(mkdtempSync(join(tmpdir(), 'yore-test-report-')), 'report.json');
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
const status = run(process.execPath, [vitest, 'run', ...reporters, ...process.argv.slice(2)], {
  mayFail: true,
});

const skipped = status === 0 ? skippedTests(report) : [];
for (const name of skipped) console.log(`skipped: ${name}`);
for (const need of NEEDS.filter(({ command }) => !isInstalled(command))) {
  console.log(
    `not installed: ${need.command}, for the tests of ${need.for} (Debian package ${need.package})`,
  );
}
if (skipped.length > 0 && process.env.CI) {
  console.error(`${skipped.length} tests were skipped, which CI does not accept.`);
  process.exit(1);
}
process.exit(status);

function skippedTests(path) {
  const { testResults } = JSON.parse(readFileSync(path, 'utf8'));
  const tests = testResults.flatMap((file) => file.assertionResults);
  return tests
    .filter((test) => test.status === 'skipped' || test.status === 'pending')
    .map((test) => test.fullName);
}

function isInstalled(command) {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).error === undefined;
}

function canInstall() {
  return process.platform === 'linux' && process.getuid?.() === 0 && isInstalled('apt-get');
}

function install(packages) {
  console.log(`installing ${packages.join(' ')}`);
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
  spawnSync('apt-get', ['install', '-y', '-qq', ...packages], { stdio: 'inherit' });
}

function run(command, args, { mayFail = false } = {}) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: environment });
  if (status !== 0 && !mayFail) process.exit(status ?? 1);
  return status ?? 1;
}
