/** The version of the archive that this yore writes. */
export const BACKUP_FORMAT = 1;

/** First file of an archive: tells what it is before anything else is read. */
export const MARKER_NAME = 'yore-backup.json';
/** Last file of an archive: tells whether all of it is there. */
export const MANIFEST_NAME = 'manifest.json';
/** Before the names of the files of the home. */
export const HOME_PREFIX = 'home/';

/** Called with how many bytes are done, of how many. */
export type Progress = (done: number, total: number) => void;

/** What a backup or a restore did. */
export interface BackupReport {
  readonly files: number;
  /** Of all files, not compressed. */
  readonly bytes: number;
  /** Where the home is now that was in the way of a restored one. */
  readonly keptAside?: string;
  /** Names in the home that are neither files nor folders and were left out. */
  readonly skipped: readonly string[];
}

/** What the last file of an archive says. */
export interface Manifest {
  readonly format: number;
  readonly createdAt: string;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/**
 * Whether a file of the home, by its name relative to it (with slashes), can be made anew from the others or is
 * of no use later: the index, where the home is served, what the guard derived, diagnostics, locks and halves of writes.
 */
export function isLeftOut(name: string): boolean {
  return (
    /^search\.db/.test(name) ||
    /^serve\.json$/.test(name) ||
    /^(?:logs?|hooks)(?:\/|$)/.test(name) ||
    /^projects\/[^/]+\/(?:guard\.|recall\.|spool\.(?!newer$)|digest|briefing\.json|(?:claims|told)(?:\/|$))/.test(
      name,
    ) ||
    /\.(?:lock|tmp|stale)$/.test(name)
  );
}

/** Reads the format number of the first file. */
export function parseMarker(text: string): number | undefined {
  const format = parseObject(text)?.format;
  return typeof format === 'number' ? format : undefined;
}

/** Reads the last file. */
export function parseManifest(text: string): Manifest | undefined {
  const content = parseObject(text);
  if (!content || !Array.isArray(content.files) || typeof content.createdAt !== 'string') return undefined;
  const files = content.files.filter(isFile);
  if (files.length !== content.files.length || typeof content.format !== 'number') return undefined;
  return { format: content.format, createdAt: content.createdAt, files };
}

function isFile(value: unknown): value is Manifest['files'][number] {
  if (typeof value !== 'object' || value === null) return false;
  return (
    'path' in value && typeof value.path === 'string' && 'size' in value && typeof value.size === 'number'
  );
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
