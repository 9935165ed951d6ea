import { readFileSync } from 'node:fs';
import { YoreError } from '../../record/index.ts';
import { type CreateLineReader, readJsonLines } from '../transcript/json-lines.ts';
import { problem } from '../transcript/skip.ts';
import type { ReadPosition, TranscriptReading, TranscriptSource } from '../transcript/transcript-source.ts';

/** A larger rollout is not read: it would have to be in memory as a whole. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Whether a rollout is one that was put away: Codex compresses those that were not used for a while. */
export function isCompressed(path: string): boolean {
  return path.endsWith('.jsonl.zst');
}

/** Reads a compressed rollout. Node before 22.15 cannot: the whole source is then one problem. */
export function readCompressed(
  source: TranscriptSource,
  position: ReadPosition | undefined,
  createReader: CreateLineReader,
): TranscriptReading {
  const bytes = decompress(source.path);
  if (typeof bytes === 'string') return nothing(source, position, bytes);
  const reading = readJsonLines(source, position, createReader, bytes);
  const share = bytes.length === 0 ? 0 : source.size / bytes.length;
  return {
    isResumed: reading.isResumed,
    events: reading.events,
    position: () => reading.position(),
    // Counted as the file is: the content is many times as long.
    bytesRead: () => Math.round(reading.bytesRead() * share),
    linesRead: () => reading.linesRead(),
  };
}

/** The content, or why there is none. */
function decompress(path: string): Uint8Array | string {
  // Loaded only here: hooks read rollouts too, and this takes them time.
  const { zstdDecompressSync } = process.getBuiltinModule('node:zlib') as Partial<ZstdModule>;
  if (!zstdDecompressSync) return 'compressed file, which needs Node 22.15 or newer';
  let compressed: Buffer;
  try {
    compressed = readFileSync(path);
  } catch (error) {
    throw new YoreError('STORAGE', `Cannot read ${path}. Make it readable for you and try again.`, {
      cause: error,
    });
  }
  try {
    return zstdDecompressSync(compressed, { maxOutputLength: MOST_BYTES });
  } catch {
    return 'compressed file that cannot be expanded';
  }
}

interface ZstdModule {
  zstdDecompressSync(bytes: Uint8Array, options: { readonly maxOutputLength: number }): Uint8Array;
}

function nothing(
  source: TranscriptSource,
  position: ReadPosition | undefined,
  reason: string,
): TranscriptReading {
  return {
    isResumed: position !== undefined,
    events: [problem(reason)],
    position: () => position ?? {},
    bytesRead: () => source.size,
    linesRead: () => 0,
  };
}
