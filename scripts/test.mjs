// The test command.
//   npm test                  everything CI checks: lint, types, imports, dead code, prose, then all tests
//   npm test -- test/log      the tests of some paths, without the other checks
//   npm run test:quick        lint, types, prose, and the tests that need neither a build nor a browser
// As root on Debian, it first names and installs the system packages that tests need. Elsewhere, tests that lack one are
// skipped and listed. If CI is set, skipped tests are failures.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Programs that tests need, with their Debian package and what they are for. */
const SYSTEM_PACKAGES = [
  { command: 'git', package: 'git', for: 'project identity' },
  { command: 'bash', package: 'bash', for: 'shell completion' },
  { command: 'zsh', package: 'zsh', for: 'shell completion' },
  { command: 'fish', package: 'fish', for: 'shell completion' },
  { command: 'unshare', package: 'util-linux', for: 'a full disk' },
  { command: 'python3', package: 'python3-minimal', for: 'a pseudo-terminal' },
  { command: 'openssl', package: 'openssl', for: 'certificates' },
  { command: 'pg_ctlcluster', package: 'postgresql', for: "a team's server" },
  { command: 'chromium', package: 'chromium', for: 'the browser app' },
];

const CHECKS = ['lint', 'types', 'imports', 'dead', 'prose'];
const QUICK_CHECKS = ['lint', 'types', 'prose'];

const args = process.argv.slice(2);
const isQuick = args[0] === '--quick';
const vitestArgs = isQuick ? ['--project', 'source', ...args.slice(1)] : args;
const isEverything = args.length === 0;

const environment = { ...process.env };
// It costs every Node.js process about 70 ms, and no test needs it.
delete environment.NODE_EXTRA_CA_CERTS;

if (!isQuick) installMissingPackages();
if (isQuick || isEverything) await runChecks(isQuick ? QUICK_CHECKS : CHECKS);
const memory = folderInMemory();
if (memory !== undefined) environment.TMPDIR = memory;
// Ctrl-C ends the tests, and then what they left is removed.
process.on('SIGINT', () => undefined);
const testStatus = runTests();
if (memory !== undefined) rmSync(memory, { recursive: true, force: true });
process.exit(testStatus);

/** Runs npm scripts in parallel and exits if one of them fails. */
async function runChecks(names) {
  const results = await Promise.all(names.map(runCheck));
  for (const { name, status, output, seconds } of results) {
    console.log(`${status === 0 ? '✓' : '✗'} npm run ${name} (${seconds} s)`);
    if (status !== 0) console.log(output);
  }
  if (results.some(({ status }) => status !== 0)) process.exit(1);
}

function runCheck(name) {
  return new Promise((resolve) => {
    const started = performance.now();
    const child = spawn('npm', ['run', '-s', name], { cwd: root, env: environment });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('close', (status) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      resolve({ name, status: status ?? 1, output, seconds });
    });
  });
}

/** Runs the tests, lists those that were skipped and why, and returns the exit code. */
function runTests() {
  const folder = mkdtempSync(join(tmpdir(), 'yore-test-report-'));
  const report = join(folder, 'report.json');
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const status = run(process.execPath, [vitest, 'run', ...reporters, ...vitestArgs], { mayFail: true });
  const skipped = status === 0 ? skippedTests(report) : [];
  rmSync(folder, { recursive: true, force: true });
  for (const name of skipped) console.log(`skipped: ${name}`);
  if (!isQuick) {
    for (const { command, package: name, for: purpose } of missingPackages()) {
      console.log(`not installed: ${command}, needed to test ${purpose} (Debian package ${name})`);
    }
  }
  if (skipped.length > 0 && process.env.CI) {
    console.error(`${skipped.length} tests were skipped, which CI does not accept.`);
    return 1;
  }
  return status;
}

/**
 * A folder in memory for what tests write, if the machine has room for one: otherwise they wait for the disk at each
 * transaction. Programs must be able to run in it, by other users too, and files must have a time of creation.
 */
function folderInMemory() {
  const MIN_BYTES = 4 * 1024 ** 3;
  let folder;
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    if (bavail * bsize < MIN_BYTES) return undefined;
    folder = mkdtempSync('/dev/shm/yore-');
    chmodSync(folder, 0o755);
    const program = join(folder, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    if (spawnSync(program).status === 0 && statSync(program).birthtimeMs > 0) return folder;
  } catch {} // Not on this system.
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  return undefined;
}

function skippedTests(report) {
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  return testResults
    .flatMap((file) => file.assertionResults)
    .filter((test) => test.status === 'skipped' || test.status === 'pending')
    .map((test) => test.fullName);
}

function installMissingPackages() {
  const packages = missingPackages().map((needed) => needed.package);
  const canInstall = process.platform === 'linux' && process.getuid?.() === 0 && isInstalled('apt-get');
  if (packages.length === 0 || !canInstall) return;
  console.log(`Installing the system packages that tests need: ${packages.join(' ')}`);
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
  spawnSync('apt-get', ['install', '-y', '-qq', ...packages], { stdio: 'inherit' });
}

function missingPackages() {
  return SYSTEM_PACKAGES.filter(({ command }) => !isInstalled(command));
}

function isInstalled(command) {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).error === undefined;
}

function run(command, commandArgs, { mayFail = false } = {}) {
  const { status } = spawnSync(command, commandArgs, { cwd: root, stdio: 'inherit', env: environment });
  if (status !== 0 && !mayFail) process.exit(status ?? 1);
  return status ?? 1;
}
