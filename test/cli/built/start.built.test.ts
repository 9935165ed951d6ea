import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { playSessions, REDIS } from './agent.ts';
import { createPlace, type Place } from './run-yore.ts';
import { callRpc, type ServingProcess, startProcess } from './serving-process.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** A checkout with the build of this one and no sources, so that nothing needs to be built. Its build script only prints a line. */
function builtCheckout({ folder }: Place): string {
  const checkout = join(folder, 'checkout');
  const folders = ['scripts', 'src', 'web'];
  for (const name of folders) mkdirSync(join(checkout, name), { recursive: true });
  const copied = ['scripts/start.mjs', 'scripts/build-if-changed.mjs', 'package.json'];
  for (const name of copied) copyFileSync(join(ROOT, name), join(checkout, name));
  writeFileSync(join(checkout, 'scripts', 'build.mjs'), 'console.log("The build ran.");');
  for (const name of [...copied, 'scripts/build.mjs', ...folders]) utimesSync(join(checkout, name), 1, 1);
  for (const name of ['dist', 'node_modules']) symlinkSync(join(ROOT, name), join(checkout, name), 'junction');
  return checkout;
}

/** Runs what `npm start` runs. */
function start(
  place: Place,
  env: Readonly<Record<string, string>> = {},
  checkout: string = builtCheckout(place),
): ServingProcess {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(scripts.start).toBe('node scripts/start.mjs');
  return startProcess([join(checkout, 'scripts', 'start.mjs')], place, { env });
}

async function sessionsServed(said: string): Promise<number> {
  const [, port = '', token = ''] = /127\.0\.0\.1:(\d+)\/#token=(\S+)/.exec(said) ?? [];
  const list = await callRpc({ port: Number(port), token }, 'history.listSessions');
  return (list as { readonly total: number }).total;
}

describe('npm start', () => {
  it('opens the app on the recorded history', async () => {
    const place = createPlace();
    playSessions(place, [REDIS]);
    const started = start(place);
    const said = await started.saying('No browser could be opened');
    expect(said).not.toContain('demo project');
    expect(said).not.toContain('The build ran');
    expect(await sessionsServed(said)).toBe(1);
    started.signal('SIGINT');
    expect(await started.ended).toBe(0);
  });

  it('opens a demo project when nothing is recorded, and says how to see your own history', async () => {
    const place = createPlace();
    const temp = join(place.folder, 'temp');
    mkdirSync(temp);
    const started = start(place, { TMPDIR: temp });
    const said = await started.saying('No browser could be opened');
    for (const text of [
      'Nothing is recorded on this machine yet',
      'node dist/cli/main.cjs init',
      'node dist/cli/main.cjs demo',
      'see your own history instead',
    ])
      expect(said).toContain(text);
    expect(said).not.toMatch(/^ *yore /m);
    expect(await sessionsServed(said)).toBeGreaterThan(5);
    started.signal('SIGTERM');
    expect(await started.ended).toBe(0);
    expect(readdirSync(temp)).toEqual([]);
    expect(existsSync(place.home)).toBe(false);
  });

  it('builds first when a source is newer than the build', async () => {
    const place = createPlace();
    playSessions(place, [REDIS]);
    const checkout = builtCheckout(place);
    writeFileSync(join(checkout, 'web', 'changed.css'), '');
    const said = await start(place, {}, checkout).saying('Ctrl-C');
    expect(said).toContain('The build ran.');
  });
});
