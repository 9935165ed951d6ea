import { lstatSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { bytesAt, withFile } from '../../files/index.ts';

const END_BYTES = 16 * 1024;

/**
 * Gives what Claude Code saved of large outputs in the folder of a session: the beginning and the end of it. Only files
 * in that folder are looked at, wherever a transcript points to.
 */
export function savedOutputs(sessionFolder: string): (path: string) => string | undefined {
  return (path) => {
    const named = path.replaceAll('\\', '/');
    const name = basename(named);
    if (basename(dirname(named)) !== FOLDER || name === '' || name === '..') return undefined;
    return endsOf(join(sessionFolder, FOLDER, name));
  };
}

const FOLDER = 'tool-results';

function endsOf(path: string): string | undefined {
  try {
    const { size } = lstatSync(path);
    if (!lstatSync(path).isFile()) return undefined;
    return withFile(
      path,
      (descriptor) => {
        if (size <= 2 * END_BYTES) return bytesAt(descriptor, 0, size).toString('utf8');
        const head = bytesAt(descriptor, 0, END_BYTES).toString('utf8');
        const tail = bytesAt(descriptor, size - END_BYTES, END_BYTES).toString('utf8');
        return `${head}\n… ${size - 2 * END_BYTES} bytes left out …\n${tail}`;
      },
      undefined,
    );
  } catch {
    return undefined;
  }
}
