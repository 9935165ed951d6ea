import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { onTestFinished } from 'vitest';
import type { ServedPlace } from '../server/serving.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A bundle of the server, built from its source. */
export interface ServerScript {
  readonly path: string;
  remove(): void;
}

/** Bundles the server into a folder from which its packages can be resolved. */
export async function bundleServer(): Promise<ServerScript> {
  const cache = join(ROOT, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'yore-served-'));
  const bundle = await rolldown({
    input: { serve: join(ROOT, 'test', 'web', 'serve-main.ts') },
    platform: 'node',
    external: (id, importer) => importer !== undefined && !/^[./]/.test(id),
    logLevel: 'silent',
  });
  await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  });
  await bundle.close();
  return { path: join(folder, 'serve.mjs'), remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A server in a separate process. */
export interface ServedProcess {
  /** With the token. */
  readonly url: string;
  readonly port: number;
  /** Kills it with SIGKILL. */
  kill(): Promise<void>;
}

/** Starts a server, optionally on a fixed port. It is killed at the end of the test. */
export async function serveProcess(script: ServerScript, place: ServedPlace, port = 0): Promise<ServedProcess> {
  const child = spawn(process.execPath, [script.path, place.home, place.cwd, place.web, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => killed(child));
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(() => ['']),
  ]);
  if (line === '') throw new Error('The server did not start.');
  return { ...JSON.parse(String(line)), kill: () => killed(child) };
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
