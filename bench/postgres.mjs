// A PostgreSQL server of its own for the benchmark of the team's store.
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const ROOT = '/usr/lib/postgresql';
const PASSWORD = 'benchmark';
/** PostgreSQL refuses to run as the superuser. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
/** Those of a small server; what is measured fits into the memory of one. */
const SETTINGS = ['shared_buffers=512MB', 'max_wal_size=4GB', 'maintenance_work_mem=256MB', 'synchronous_commit=on'];

/** The folder with PostgreSQL's programs; undefined if it is not installed. */
export function findPostgres() {
  const versions = existsSync(ROOT) ? readdirSync(ROOT).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(ROOT, version, 'bin')), ...(process.env.PATH ?? '').split(':')];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

/**
 * Starts a server. Returns the connection string of its owner, and a function that stops it.
 * @param {string} programs @param {string} folder an empty folder @param {(url: string) => Promise<boolean>} isReady
 */
export async function startPostgres(programs, folder, isReady) {
  const data = join(folder, 'data');
  const password = join(folder, 'password');
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(password, PASSWORD);
  if (NOBODY.uid !== undefined) for (const path of [folder, data, password]) chownSync(path, NOBODY.uid, NOBODY.gid);
  const options = ['-U', 'owner', '-A', 'scram-sha-256', '--pwfile', password, '-E', 'UTF8', '--locale=C.UTF-8'];
  execFileSync(join(programs, 'initdb'), ['-D', data, ...options], { ...NOBODY, cwd: folder, stdio: 'pipe' });
  const port = await freePort();
  const settings = [...SETTINGS, 'listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`];
  const server = spawn(
    join(programs, 'postgres'),
    ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    { ...NOBODY, cwd: folder, stdio: 'ignore' },
  );
  const url = `postgres://owner:${PASSWORD}@127.0.0.1:${port}/postgres`;
  while (!(await isReady(url))) {
    if (server.exitCode !== null) throw new Error('PostgreSQL does not start');
    await sleep(100);
  }
  const stop = () =>
    new Promise((resolve) => {
      server.once('exit', resolve);
      server.kill('SIGINT');
    });
  return { url, stop };
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
