import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { storageError } from '../../files/index.ts';
import { MAX_DOCUMENT_BYTES, readDocument, type TranscriptDocument } from '../transcript/document.ts';
import { asFields, asName, asObjects, defined, type Fields, parseFields } from '../transcript/fields.ts';
import { fileHead, fileSource, listNames } from '../transcript/files.ts';
import type { TranscriptEvent } from '../transcript/transcript-event.ts';
import type { AgentTranscripts, MachinePlaces, TranscriptSource } from '../transcript/transcript-source.ts';
import { DatabaseReading } from './database-reading.ts';
import { isComplete, messageEvents, sessionMessageEvents } from './message-events.ts';

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
  const others = listNames(folder)
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

/** A message with its parts; of version 2, the parts are inside. */
interface StoredMessage {
  readonly info: Fields;
  readonly parts: readonly Fields[];
}

/** Bytes of a message and its parts, roughly: counting them all would take as long as reading them. */
const USUAL_MESSAGE = 4000;

/** The sessions in a folder of JSON files, as opencode kept them before it had a database. */
export function storedSessions(storage: string): readonly TranscriptSource[] {
  const sessions = join(storage, 'session');
  return listNames(sessions)
    .flatMap((project) => listNames(join(sessions, project)).map((name) => join(sessions, project, name)))
    .filter((path) => /^ses_\w+\.json$/.test(basename(path)))
    .flatMap((path) => {
      const source = fileSource('opencode', path);
      if (!source) return [];
      const messages = join(storage, 'message', basename(path, '.json'));
      const names = listNames(messages);
      // Messages are rewritten in place until they are complete: the last one tells.
      const last = fileSource('opencode', join(messages, names.at(-1) ?? ''));
      const size = source.size + names.length * USUAL_MESSAGE;
      return [{ ...source, size, stamp: `${source.stamp}-${names.length}-${last?.stamp ?? ''}` }];
    });
}

/** Opens a session by its JSON file, or what `opencode export` wrote; says why if it cannot be understood. */
export function openStoredSession(path: string): TranscriptDocument | string {
  const document = fieldsIn(path);
  if (typeof document === 'string') return document;
  const exported = asObjects(document.messages);
  if (Array.isArray(document.messages)) {
    return new StoredSession(asFields(document.info) ?? {}, exported.map(exportedMessage));
  }
  const storage = dirname(dirname(dirname(path)));
  return new StoredSession(document, storedMessages(storage, basename(path, '.json')));
}

class StoredSession implements TranscriptDocument {
  readonly items: readonly StoredMessage[];
  readonly #info: Fields;
  readonly #sessionId: string;

  constructor(info: Fields, messages: readonly StoredMessage[]) {
    this.#info = info;
    this.#sessionId = asName(info.id) ?? 'unknown';
    const firstOpen = messages.findIndex(
      ({ info: message }, at) =>
        !isComplete(message) && !messages.slice(at + 1).some(({ info: later }) => later.role === 'assistant'),
    );
    this.items = firstOpen < 0 ? messages : messages.slice(0, firstOpen);
  }

  *read(index: number): Generator<TranscriptEvent> {
    const sessionId = this.#sessionId;
    if (index === 0) {
      const folder = asName(this.#info.directory) ?? asName(asFields(this.#info.location)?.directory);
      const cwd = folder !== undefined && isAbsolute(folder) ? folder : undefined;
      yield { type: 'session', sessionId, ...defined({ parentSessionId: asName(this.#info.parentID), cwd }) };
    }
    const { info, parts } = this.items[index] ?? { info: {}, parts: [] };
    if (info.role === undefined && info.type !== undefined) {
      yield* sessionMessageEvents(info.type, asName(info.id) ?? String(index), info, sessionId);
    } else yield* messageEvents(info, parts, sessionId);
  }
}

function exportedMessage(message: Fields): StoredMessage {
  const info = asFields(message.info);
  return info ? { info, parts: asObjects(message.parts) } : { info: message, parts: [] };
}

function storedMessages(storage: string, sessionId: string): readonly StoredMessage[] {
  const folder = join(storage, 'message', sessionId);
  return listNames(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => {
      const info = fieldsIfThere(join(folder, name));
      if (!info) return [];
      const partFolder = join(storage, 'part', basename(name, '.json'));
      const parts = listNames(partFolder)
        .map((part) => fieldsIfThere(join(partFolder, part)))
        .filter((part) => part !== undefined);
      return [{ info: { id: basename(name, '.json'), ...info }, parts }];
    });
}

function fieldsIfThere(path: string): Fields | undefined {
  try {
    const fields = fieldsIn(path);
    return typeof fields === 'string' ? undefined : fields;
  } catch {
    return undefined;
  }
}

function fieldsIn(path: string): Fields | string {
  try {
    if (statSync(path).size > MAX_DOCUMENT_BYTES) return 'document of more than 64 MB';
    return parseFields(readFileSync(path, 'utf8')) ?? 'broken JSON';
  } catch (error) {
    throw storageError('read', path, error);
  }
}
