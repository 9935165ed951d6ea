import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The file that a worker thread starts with: `name` beside the module of `moduleUrl`, in the compiled package and in the
 * bundled command line. Undefined where there is none: in yore's own source, or in somebody else's bundle.
 */
export function findWorkerFile(moduleUrl: string, name: string): string | undefined {
  const extension = extname(fileURLToPath(moduleUrl));
  const file = fileURLToPath(new URL(`./${name}${extension}`, moduleUrl));
  return extension !== '.ts' && existsSync(file) ? file : undefined;
}
