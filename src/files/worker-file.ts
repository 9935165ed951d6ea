import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The file of a worker thread: `name` next to the module at `moduleUrl`. Undefined when it does not exist, as when
 * running from source or in another project's bundle.
 */
export function findWorkerFile(moduleUrl: string, name: string): string | undefined {
  const extension = extname(fileURLToPath(moduleUrl));
  const file = fileURLToPath(new URL(`./${name}${extension}`, moduleUrl));
  return extension !== '.ts' && existsSync(file) ? file : undefined;
}
