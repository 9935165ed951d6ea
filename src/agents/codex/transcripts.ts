import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { YoreError } from '../../record/index.ts';
import { asText, parseFields } from '../transcript/fields.ts';
import { fileHead, fileSource, listFiles } from '../transcript/files.ts';
import { type CreateReader, type LineReader, readJsonLines } from '../transcript/line-reading.ts';
import { problem } from '../transcript/transcript-event.ts';
import type {
  AgentTranscripts,
  MachinePlaces,
  ReadPosition,
  TranscriptReading,
  TranscriptSource,
} from '../transcript/transcript-source.ts';
import { RolloutLines } from './rollout-reader.ts';

const AGENT = 'codex';
const ROLLOUT = /^rollout-.*\.jsonl(?:\.zst)?$/;
const DEEPEST = 5;

/** What Codex keeps in `~/.codex` (`CODEX_HOME`): rollouts of sessions, also of archived ones. */
export const codexTranscripts: AgentTranscripts = {
  agent: AGENT,
  find: (places) => {
    const paths = sessionFolders(places).flatMap((folder) =>
      listFiles(folder, (name) => ROLLOUT.test(name), DEEPEST),
    );
    const known = new Set(paths);
    // While a rollout is being compressed, both are there.
    return paths
      .filter((path) => !(isCompressed(path) && known.has(path.slice(0, -'.zst'.length))))
      .flatMap((path) => fileSource(AGENT, path) ?? []);
  },
  recognises: (path) => {
    if (isCompressed(path)) return ROLLOUT.test(basename(path));
    return path.endsWith('.jsonl') && fileHead(path).split('\n').slice(0, LINES_TO_RECOGNISE).some(isRollout);
  },
  read: (source, position) => {
    const session = sessionInName(source.path);
    const create: CreateReader<LineReader> = (state) => new RolloutLines(session, state);
    return isCompressed(source.path)
      ? readCompressed(source, position, create)
      : readJsonLines(source, position, create);
  },
};

function sessionFolders({ home, env }: MachinePlaces): readonly string[] {
  const folder = env.CODEX_HOME || join(home, '.codex');
  return [join(folder, 'sessions'), join(folder, 'archived_sessions')];
}

const ID_IN_NAME = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/i;

/** `rollout-2026-01-31T10-00-00-<session>[_<rollout>].jsonl` */
function sessionInName(path: string): string {
  const name = basename(path).replace(/\.jsonl(?:\.zst)?$/, '');
  return ID_IN_NAME.exec(name)?.[1] ?? name;
}

const LINES_TO_RECOGNISE = 20;
const TYPES: ReadonlySet<string> = new Set([
  'session_meta',
  'turn_context',
  'response_item',
  'event_msg',
  'compacted',
]);

/** The head of a rollout may be longer than what is looked at: then it is known by its first bytes. */
const LONG_HEAD = /^\{"timestamp":"[^"\\]*",(?:"ordinal":\d+,)?"type":"session_meta","payload":\{/;

function isRollout(line: string): boolean {
  if (LONG_HEAD.test(line)) return true;
  const fields = parseFields(line);
  if (!fields) return false;
  return (
    TYPES.has(asText(fields.type) ?? '') && typeof fields.payload === 'object' && fields.payload !== null
  );
}

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
  createReader: CreateReader<LineReader>,
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
