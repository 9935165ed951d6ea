// An embedder for the adapters that search: with YORE_BENCH_EMBEDDINGS_URL (and YORE_BENCH_EMBEDDINGS_MODEL) meanings are
// compared, too. Without it nothing is sent anywhere.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes the settings of a home; returns its path. */
export function benchHome(path) {
  const { YORE_BENCH_EMBEDDINGS_URL: url, YORE_BENCH_EMBEDDINGS_MODEL: model = 'bench' } = process.env;
  if (url) {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    writeFileSync(join(path, 'config.json'), JSON.stringify({ embeddings: { url, model } }), { mode: 0o600 });
  }
  return path;
}

/** Computes the vectors of all messages. */
export async function embedAll(home) {
  const { problem } = await home.embeddings.embedMissing();
  if (problem) throw new Error(problem);
}
