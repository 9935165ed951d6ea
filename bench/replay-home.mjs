import { createReadStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { createPlayer } from './replay-player.mjs';

/**
 * Records a corpus of replayed sessions into a home in `folder` with the product's own recording.
 * @param {import('./runner/context.mjs').Context} context
 * @param {string} file a corpus, `.jsonl.gz`
 * @param {string} folder
 * @returns the project that holds it
 */
export async function recordCorpus(context, file, folder) {
  const { openHome } = await context.load('project/index.js');
  const { UNKNOWN_MACHINE } = await context.load('memory/index.js');
  const checkout = join(folder, 'checkout');
  mkdirSync(checkout, { recursive: true });
  const project = openHome({ home: join(folder, 'home'), machine: () => UNKNOWN_MACHINE }).openProject(
    checkout,
  );
  const recorder = project.recorder();
  const player = createPlayer(recorder);
  for await (const line of createInterface({ input: createReadStream(file).pipe(createGunzip()) })) {
    const event = JSON.parse(line);
    player[event.type]?.(event);
  }
  recorder.close();
  return project;
}
