import { type Fields, parseFields } from './fields.ts';
import { openContent } from './file-lines.ts';

const HEAD_BYTES = 64 * 1024;

/** The first 64 KB of a file as text; empty when it cannot be read. */
export function fileHead(path: string): string {
  try {
    const content = openContent(path);
    try {
      const buffer = Buffer.alloc(Math.min(HEAD_BYTES, content.size));
      return buffer.toString('utf8', 0, content.read(buffer, 0));
    } finally {
      content.close();
    }
  } catch {
    return '';
  }
}

/** The object in the first line of a file, if the line is no longer than 64 KB and holds one. */
export function firstFields(path: string): Fields | undefined {
  const [line = ''] = fileHead(path).split('\n', 1);
  return parseFields(line);
}
