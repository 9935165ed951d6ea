import { basename, join } from 'node:path';
import { readBytes } from '../../files/file-access.ts';
import { parseObject } from '../../record/object.ts';
import { asText } from '../transcript/fields.ts';
import { fileSource, hasLine, listTranscriptFiles, toReadError } from '../transcript/files.ts';
import { type CreateReader, type LineReader, readJsonLines } from '../transcript/line-reading.ts';
import {
  type AgentTranscripts,
  problem,
  type ReadPosition,
  type TranscriptLocations,
  type TranscriptReading,
  type TranscriptSource,
} from '../transcript/transcript.ts';
import { RolloutReader } from './rollout-reader.ts';

const AGENT = 'codex';
const ROLLOUT = /^rollout-.*\.jsonl(?:\.zst)?$/;
const MAX_DEPTH = 5;

/** The rollouts of sessions in `~/.codex` (`CODEX_HOME`), including archived ones. */
export const codexTranscripts: AgentTranscripts = {
  agent: AGENT,
  find: (places) => {
    const paths = listSessionFolders(places).flatMap((folder) =>
      listTranscriptFiles(folder, (name) => ROLLOUT.test(name), MAX_DEPTH),
    );
    const known = new Set(paths);
    // While a rollout is being compressed, both files exist.
    return paths
      .filter((path) => !(isCompressed(path) && known.has(path.slice(0, -'.zst'.length))))
      .flatMap((path) => fileSource(AGENT, path) ?? []);
  },
  recognises: (path) => {
    if (isCompressed(path)) return ROLLOUT.test(basename(path));
    return path.endsWith('.jsonl') && hasLine(path, isRollout);
  },
  read: (source, position) => {
    const session = parseSessionId(source.path);
    const create: CreateReader<LineReader> = (state) => new RolloutReader(session, state);
    return isCompressed(source.path)
      ? readCompressed(source, position, create)
      : readJsonLines(source, position, create);
  },
};

function listSessionFolders({ home, env }: TranscriptLocations): readonly string[] {
  const folder = env.CODEX_HOME || join(home, '.codex');
  return [join(folder, 'sessions'), join(folder, 'archived_sessions')];
}

const ID_IN_NAME = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/i;

/** `rollout-2026-01-31T10-00-00-<session>[_<rollout>].jsonl` */
function parseSessionId(path: string): string {
  const name = basename(path).replace(/\.jsonl(?:\.zst)?$/, '');
  return ID_IN_NAME.exec(name)?.[1] ?? name;
}

const LINE_TYPES: ReadonlySet<string> = new Set([
  'session_meta',
  'turn_context',
  'response_item',
  'event_msg',
  'compacted',
]);

/** The first line of a rollout may be longer than the head that is read: its first bytes identify it then. */
const LONG_HEAD = /^\{"timestamp":"[^"\\]*",(?:"ordinal":\d+,)?"type":"session_meta","payload":\{/;

function isRollout(line: string): boolean {
  if (LONG_HEAD.test(line)) return true;
  const fields = parseObject(line);
  if (!fields) return false;
  return LINE_TYPES.has(asText(fields.type) ?? '') && typeof fields.payload === 'object' && fields.payload !== null;
}

/** Larger rollouts are not read: they would have to be in memory as a whole. */
const MAX_BYTES = 256 * 1024 * 1024;

/** Codex compresses rollouts that have not been used for a while. */
function isCompressed(path: string): boolean {
  return path.endsWith('.jsonl.zst');
}

/** Reads a compressed rollout. Before Node 22.15 that is not possible: the source is reported as a problem then. */
function readCompressed(
  source: TranscriptSource,
  position: ReadPosition | undefined,
  createReader: CreateReader<LineReader>,
): TranscriptReading {
  const bytes = decompress(source.path);
  if (typeof bytes === 'string') {
    const events = [problem(bytes)];
    const isResumed = position !== undefined;
    return { isResumed, events, position: () => position ?? {}, bytesRead: source.size, linesRead: 0 };
  }
  const reading = readJsonLines(source, position, createReader, bytes);
  const ratio = bytes.length === 0 ? 0 : source.size / bytes.length;
  return {
    isResumed: reading.isResumed,
    events: reading.events,
    position: () => reading.position(),
    // In bytes of the file: the content is many times as long.
    get bytesRead() {
      return Math.round(reading.bytesRead * ratio);
    },
    get linesRead() {
      return reading.linesRead;
    },
  };
}

/** The content, or why it cannot be decompressed. */
function decompress(path: string): Uint8Array | string {
  // Loaded only when needed: hooks read rollouts too, and loading takes time.
  const { zstdDecompressSync } = process.getBuiltinModule('node:zlib') as Partial<ZstdModule>;
  if (!zstdDecompressSync) return 'compressed file, which needs Node 22.15 or newer';
  let compressed: Buffer;
  try {
    compressed = readBytes(path);
  } catch (error) {
    throw toReadError(path, error);
  }
  try {
    return zstdDecompressSync(compressed, { maxOutputLength: MAX_BYTES });
  } catch {
    return 'compressed file that is damaged';
  }
}

interface ZstdModule {
  zstdDecompressSync(bytes: Uint8Array, options: { readonly maxOutputLength: number }): Uint8Array;
}
