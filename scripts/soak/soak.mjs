// Everything at once for a while, by two versions of yore, with kills, a full disk, clocks that jump, damaged files and
// records of a newer version; then checks that every acknowledged record is there once and that nothing is left behind.
//   npm run soak                a hundred rounds, which take about ten minutes
//   npm run soak -- 4 [SEED]    four rounds, optionally with the seed of an earlier run
import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { act, calibrate, damage } from './actions.mjs';
import { checkForgotten, checkIndex, checkLeftovers, checkRecords, settle } from './checks.mjs';
import { buildOtherVersion } from './other-version.mjs';
import { PACKAGE, World } from './world.mjs';

const [rounds = '100', seed = String(Date.now() % 1e9)] = process.argv.slice(2);
/** Things that happen at the same time. */
const ACTORS = 4;
/** Things that happen in a round. After it, files are damaged. */
const ACTIONS = 40;
/** The share of rounds in which the disk is full for a moment. */
const FULL_DISK_SHARE = 0.5;
const MOUNT = 'mount -t tmpfs -o size=256m tmpfs "$0" && exec "$@"';

if (process.env.YORE_SOAK_FOLDER === undefined) process.exit(await runInFolder());
process.exit(await soak(process.env.YORE_SOAK_FOLDER));

/** Runs the soak on a small disk of its own, if this user may mount one. */
async function runInFolder() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'yore-soak-')));
  await buildOtherVersion(PACKAGE, `${folder}-other`);
  const env = { ...process.env, YORE_SOAK_FOLDER: folder };
  const command = [process.execPath, fileURLToPath(import.meta.url), rounds, seed];
  const flags = process.getuid?.() === 0 ? '-m' : '-rm';
  const canMount = spawnSync('unshare', [flags, 'sh', '-c', MOUNT, folder, 'true']).status === 0;
  const inMount = ['unshare', flags, 'sh', '-c', MOUNT, folder, ...command];
  const [program, ...args] = canMount ? inMount : command;
  const { status } = spawnSync(program, args, {
    stdio: 'inherit',
    env: { ...env, YORE_SOAK_DISK: canMount ? '1' : '' },
  });
  for (const each of [folder, `${folder}-user`, `${folder}-other`]) rmSync(each, { recursive: true, force: true });
  return status ?? 1;
}

async function soak(folder) {
  const world = new World(folder, { seed: Number(seed), canFill: process.env.YORE_SOAK_DISK === '1' });
  console.log(`soak for ${rounds} rounds with seed ${seed}${world.canFill ? '' : ', without a full disk'}`);
  await calibrate(world);
  for (let round = 0; round < Number(rounds); round++) {
    await actTogether(world);
    await stopServer(world);
    damage(world);
  }
  const problems = [
    ...(world.agents.size < 5
      ? [`only ${world.agents.size} agents were recorded: ${[...world.agents].join(' ')}`]
      : []),
    ...(await settle(world)),
    ...checkRecords(world),
    ...(await checkIndex(world)),
    ...checkForgotten(world),
    ...checkLeftovers(world),
  ];
  report(world, problems);
  return problems.length === 0 ? 0 : 1;
}

/** Kills the server, which would write to files while they are damaged. */
async function stopServer({ server }) {
  if (server === undefined || server.child.exitCode !== null || server.child.signalCode !== null) return;
  server.child.kill('SIGKILL');
  await new Promise((resolve) => server.child.on('close', resolve));
}

/** Lets all actors act until everything of a round has happened. */
async function actTogether(world) {
  let left = ACTIONS;
  const actor = async () => {
    while (left-- > 0) await act(world);
  };
  const filling = world.canFill ? fillSometimes(world) : undefined;
  await Promise.all([...Array.from({ length: ACTORS }, actor), filling]);
}

async function fillSometimes(world) {
  if (!world.random.chance(FULL_DISK_SHARE)) return;
  await new Promise((resolve) => setTimeout(resolve, world.random.below(2_000)));
  await world.fillDisk(400 + world.random.below(800));
}

function report(world, problems) {
  const states = [...world.records.values()].map(({ state }) => state);
  const acknowledged = states.filter((state) => state !== 'unknown').length;
  const forgotten = [...world.sessions.values()].filter(({ forget }) => forget === 'done').length;
  const actions = [...world.counts].map(([name, count]) => `${name} ${count}`).join(', ');
  console.log(`${actions}; agents: ${[...world.agents].join(' ')}`);
  console.log(
    `${acknowledged} acknowledged records of ${states.length}, ${world.killed} kills, ${forgotten} forgotten sessions, ${world.startsOfOther} processes of another version`,
  );
  for (const problem of problems.slice(0, 40)) console.log(`problem: ${problem}`);
  console.log(problems.length === 0 ? 'everything holds' : `${problems.length} problems with seed ${seed}`);
}
