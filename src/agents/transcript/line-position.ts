import { textHash } from '../../record/index.ts';
import { asCount, asFields, type Fields } from './fields.ts';
import type { FileContent } from './file-lines.ts';
import type { ReadPosition } from './transcript-source.ts';

/** How far a file of lines was read. */
export interface LinePosition {
  /** The end of the last line after which nothing was open. */
  readonly offset: number;
  /** The reader's state there; none at the beginning. */
  readonly state?: Fields;
  /** Events after `offset` that were handed out already. */
  readonly given: number;
  /** Where the file ended when what was open was told as it was. */
  readonly finishAt?: number;
  /** How many bytes at the beginning `beginning` was made of. */
  readonly beginningBytes: number;
  readonly beginning: number;
}

const BEGINNING_BYTES = 1024;
const START: LinePosition = { offset: 0, given: 0, beginningBytes: 0, beginning: 0 };

/** A position that was kept; the start of the file when it makes no sense or there is none. */
export function asLinePosition(position: ReadPosition | undefined): LinePosition {
  const offset = asCount(position?.offset);
  const beginningBytes = asCount(position?.beginningBytes);
  const beginning = asCount(position?.beginning);
  if (offset === undefined || beginningBytes === undefined || beginning === undefined) return START;
  const state = asFields(position?.state);
  if (offset > 0 && (!state || beginningBytes === 0)) return START;
  const finishAt = asCount(position?.finishAt);
  return {
    offset,
    given: asCount(position?.given) ?? 0,
    beginningBytes: Math.min(beginningBytes, BEGINNING_BYTES),
    beginning,
    ...(state ? { state } : {}),
    ...(finishAt === undefined ? {} : { finishAt }),
  };
}

/** Whether a position is one in this file: the file has not shrunk and begins as it did. */
export function stillFits(position: LinePosition, content: FileContent): boolean {
  if (position.offset > content.size) return false;
  return hashOf(content, position.beginningBytes) === position.beginning || position.beginningBytes === 0;
}

/** What tells this file from another one under its name, as far as it was read; what was known of it is not made anew. */
export function beginningOf(
  known: LinePosition,
  offset: number,
  content: FileContent,
): Pick<LinePosition, 'beginningBytes' | 'beginning'> {
  const beginningBytes = Math.min(offset, BEGINNING_BYTES);
  if (beginningBytes === known.beginningBytes) return { beginningBytes, beginning: known.beginning };
  return { beginningBytes, beginning: hashOf(content, beginningBytes) };
}

function hashOf(content: FileContent, length: number): number {
  const bytes = Buffer.allocUnsafe(length);
  return textHash(bytes.toString('latin1', 0, content.read(bytes, 0)));
}
