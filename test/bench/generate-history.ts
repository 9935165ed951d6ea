import { spawnSync } from 'node:child_process';
import { temporaryFolder } from '../temp-folder.ts';

const BENCH = new URL('../../bench/', import.meta.url).href;

/** Generates an agent's history in a new process, because the benchmarks are not part of the compiled sources. */
export function generateHistory(
  agent: string,
  bytes: number,
): { readonly folder: string; readonly files: number; readonly lines: number } {
  const folder = temporaryFolder();
  const code = `
    const { createRandom } = await import('${BENCH}corpus/random.mjs');
    const { createTextMaker } = await import('${BENCH}corpus/text.mjs');
    const { createVocabulary } = await import('${BENCH}corpus/vocabulary.mjs');
    const { writeHistory } = await import('${BENCH}histories/${agent}.mjs');
    const random = createRandom('histories');
    const text = createTextMaker(createVocabulary(), random);
    console.log(JSON.stringify(writeHistory({ folder: ${JSON.stringify(folder)}, bytes: ${bytes}, random, text })));`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', code],
    { encoding: 'utf8' },
  );
  if (stderr) throw new Error(stderr);
  return { folder, ...JSON.parse(stdout) };
}
