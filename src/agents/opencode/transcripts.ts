import { basename, isAbsolute, join } from 'node:path';
import { readDocument } from '../transcript/document.ts';
import { fileHead } from '../transcript/file-head.ts';
import { fileSource } from '../transcript/file-source.ts';
import { namesIn } from '../transcript/names-in.ts';
import type { AgentTranscripts, MachinePlaces, TranscriptSource } from '../transcript/transcript-source.ts';
import { DatabaseReading } from './database-reading.ts';
import { openStoredSession, storedSessions } from './stored-session.ts';

const DATABASE = /^opencode(?:-[\w.-]+)?\.db$/;
const SQLITE_HEADER = 'SQLite format 3\0';

/**
 * The sessions of opencode: `~/.local/share/opencode/opencode.db` (`opencode-<channel>.db` for channels under
 * development, `OPENCODE_DB` for another file, `XDG_DATA_HOME` for another folder); before there was a database, JSON
 * files in `storage/`. Given by hand, also what `opencode export` wrote.
 */
export const opencodeTranscripts: AgentTranscripts = {
  agent: 'opencode',
  find: (places) => {
    const folder = dataFolder(places);
    const databases = databasePaths(folder, places.env).flatMap((path) => databaseSource(path) ?? []);
    // A version with a database has taken over what was in the files.
    return databases.length > 0 ? databases : storedSessions(join(folder, 'storage'));
  },
  recognises: (path) => {
    const head = fileHead(path);
    if (head.startsWith(SQLITE_HEADER)) return head.includes('session_id') && head.includes('part');
    if (!path.endsWith('.json') || !/^\s*\{/.test(head) || !head.includes('"ses_')) return false;
    return head.includes('"messages"') || head.includes('"info"') || /^ses_\w+\.json$/.test(basename(path));
  },
  read: (source, position) =>
    source.path.endsWith('.json')
      ? readDocument(source, position, () => openStoredSession(source.path))
      : new DatabaseReading(source, position),
};

function dataFolder({ home, env }: MachinePlaces): string {
  return join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'opencode');
}

function databasePaths(folder: string, env: MachinePlaces['env']): readonly string[] {
  const named = env.OPENCODE_DB;
  const others = namesIn(folder)
    .filter((name) => DATABASE.test(name))
    .map((name) => join(folder, name));
  if (!named || named === ':memory:') return others;
  return [...new Set([isAbsolute(named) ? named : join(folder, named), ...others])];
}

/** What was written last is in a file beside the database until it is taken over into it; reading may leave an empty one. */
function databaseSource(path: string): TranscriptSource | undefined {
  const source = fileSource('opencode', path);
  if (!source) return undefined;
  const log = fileSource('opencode', `${path}-wal`);
  return log && log.size > 0
    ? { ...source, size: source.size + log.size, stamp: `${source.stamp}-${log.stamp}` }
    : source;
}
