import { bytesAt, withFile } from '../../files/index.ts';
import { type Fields, parseFields } from './fields.ts';

const LOOKED_AT = 64 * 1024;

/** The objects on the first lines of a file, as far as its first 64 KB go. None when it cannot be read. */
export function firstObjects(path: string): readonly Fields[] {
  return firstText(path)
    .split('\n')
    .map(parseFields)
    .filter((fields) => fields !== undefined);
}

/** The first 64 KB of a file as text; empty when it cannot be read. */
export function firstText(path: string): string {
  try {
    return withFile(path, (descriptor) => bytesAt(descriptor, 0, LOOKED_AT).toString('utf8'), '');
  } catch {
    return '';
  }
}
