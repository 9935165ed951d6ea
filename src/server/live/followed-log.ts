import { statIfExists } from '../../files/index.ts';
import { type LogName, openSegmentPath, readLines } from '../../log/index.ts';

/** What a log has gained since it was last looked at. */
export type Growth =
  | { readonly kind: 'none' }
  | { readonly kind: 'lines'; readonly values: readonly unknown[] }
  /** It was rewritten or rotated, or has gained more than is worth reading. */
  | { readonly kind: 'much' };

const NOTHING: Growth = { kind: 'none' };
const MUCH: Growth = { kind: 'much' };
/** More than this at once is an import: nobody wants it told line by line. */
const MOST_BYTES = 2 * 1024 * 1024;

/** One log of a project, looked at from time to time. Looking costs one `stat` when nothing is new. */
export class FollowedLog {
  readonly #path: string;
  #inode = 0;
  #size = 0;
  /** Up to here all lines were read. */
  #offset = 0;

  /** With `fromEnd` what is there now is not new. */
  constructor(directory: string, log: LogName, options: { readonly fromEnd: boolean }) {
    this.#path = openSegmentPath(directory, log);
    const found = options.fromEnd ? statIfExists(this.#path) : undefined;
    if (found !== undefined) this.#note(found.ino, found.size, found.size);
  }

  /** What is new. Throws STORAGE, once for each change, when it cannot be read. */
  look(): Growth {
    const found = statIfExists(this.#path);
    if (found === undefined || (found.ino === this.#inode && found.size === this.#size)) return NOTHING;
    const isAnother = this.#inode !== 0 && found.ino !== this.#inode;
    if (isAnother || found.size < this.#offset || found.size - this.#offset > MOST_BYTES) {
      this.#note(found.ino, found.size, found.size);
      return MUCH;
    }
    const values: unknown[] = [];
    let offset = this.#offset;
    // First, so that what cannot be read is reported once and not each time.
    this.#note(found.ino, found.size, found.size);
    for (const line of readLines(this.#path, { from: offset })) {
      offset = line.end;
      values.push(parsed(line.text));
    }
    this.#note(found.ino, found.size, offset);
    return values.length === 0 ? NOTHING : { kind: 'lines', values };
  }

  #note(inode: number, size: number, offset: number): void {
    this.#inode = inode;
    this.#size = size;
    this.#offset = offset;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
