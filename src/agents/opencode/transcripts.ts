import { basename, dirname, isAbsolute, join } from 'node:path';
import { omitUndefined } from '../../record/object.ts';
import { readDocument, type TranscriptDocument } from '../transcript/document.ts';
import { asAbsolutePath, asFields, asName, asObjects, type Fields } from '../transcript/fields.ts';
import { fileHead, fileSource, listNames, readJsonFile, readJsonFileIfValid } from '../transcript/files.ts';
import type {
  AgentTranscripts,
  TranscriptEvent,
  TranscriptLocations,
  TranscriptSource,
} from '../transcript/transcript.ts';
import { DatabaseReading } from './database-reading.ts';
import { isComplete, messageEvents, parseTitle, sessionMessageEvents } from './message-events.ts';

const DATABASE = /^opencode(?:-[\w.-]+)?\.db$/;
const SQLITE_HEADER = 'SQLite format 3\0';

/**
 * The sessions of opencode: `~/.local/share/opencode/opencode.db` (`opencode-<channel>.db` for development channels,
 * `OPENCODE_DB` for another file, `XDG_DATA_HOME` for another folder); before there was a database, JSON files in
 * `storage/`. Also reads files that `opencode export` wrote, when they are named by the user.
 */
export const opencodeTranscripts: AgentTranscripts = {
  agent: 'opencode',
  find: (places) => {
    const folder = dataFolder(places);
    const databases = listDatabases(folder, places.env).flatMap((path) => databaseSource(path) ?? []);
    // A version with a database has migrated the files.
    return databases.length > 0 ? databases : findStoredSessions(join(folder, 'storage'));
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

function dataFolder({ home, env }: TranscriptLocations): string {
  return join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'opencode');
}

function listDatabases(folder: string, env: TranscriptLocations['env']): readonly string[] {
  const named = env.OPENCODE_DB;
  const others = listNames(folder)
    .filter((name) => DATABASE.test(name))
    .map((name) => join(folder, name));
  if (!named || named === ':memory:') return others;
  return [...new Set([isAbsolute(named) ? named : join(folder, named), ...others])];
}

/** The latest writes are in the write-ahead log beside the database. Reading may leave an empty one behind. */
function databaseSource(path: string): TranscriptSource | undefined {
  const source = fileSource('opencode', path);
  if (!source) return undefined;
  const log = fileSource('opencode', `${path}-wal`);
  return log && log.size > 0
    ? { ...source, size: source.size + log.size, stamp: `${source.stamp}-${log.stamp}` }
    : source;
}

/** A message with its parts; in version 2 the parts are inside the message. */
interface StoredMessage {
  readonly info: Fields;
  readonly parts: readonly Fields[];
}

/** An estimate: adding up the sizes of all messages and parts would take as long as reading them. */
const BYTES_PER_MESSAGE = 4000;

/** Sessions in a folder of JSON files, as opencode kept them before it had a database. */
function findStoredSessions(storage: string): readonly TranscriptSource[] {
  const sessions = join(storage, 'session');
  return listNames(sessions)
    .flatMap((project) => listNames(join(sessions, project)).map((name) => join(sessions, project, name)))
    .filter((path) => /^ses_\w+\.json$/.test(basename(path)))
    .flatMap((path) => {
      const source = fileSource('opencode', path);
      if (!source) return [];
      const messages = join(storage, 'message', basename(path, '.json'));
      const names = listNames(messages);
      // Messages are rewritten in place until they are complete, so the last one shows changes.
      const last = fileSource('opencode', join(messages, names.at(-1) ?? ''));
      const size = source.size + names.length * BYTES_PER_MESSAGE;
      return [{ ...source, size, stamp: `${source.stamp}-${names.length}-${last?.stamp ?? ''}` }];
    });
}

/** Opens a session by its JSON file, or a file of `opencode export`; returns why if it is invalid. */
function openStoredSession(path: string): TranscriptDocument | string {
  const content = readJsonFile(path);
  if (typeof content === 'string') return content;
  const document = asFields(content) ?? {};
  const exported = asObjects(document.messages);
  if (Array.isArray(document.messages)) {
    return new StoredSession(asFields(document.info) ?? {}, exported.map(toStoredMessage));
  }
  const storage = dirname(dirname(dirname(path)));
  return new StoredSession(document, readStoredMessages(storage, basename(path, '.json')));
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
      const folder = this.#info.directory ?? asFields(this.#info.location)?.directory;
      yield {
        type: 'session',
        sessionId,
        ...omitUndefined({
          parentSessionId: asName(this.#info.parentID),
          cwd: asAbsolutePath(folder),
          title: parseTitle(this.#info.title),
        }),
      };
    }
    const { info, parts } = this.items[index] ?? { info: {}, parts: [] };
    if (info.role === undefined && info.type !== undefined) {
      yield* sessionMessageEvents(info.type, asName(info.id) ?? String(index), info, sessionId);
    } else yield* messageEvents(info, parts, sessionId);
  }
}

function toStoredMessage(message: Fields): StoredMessage {
  const info = asFields(message.info);
  return info ? { info, parts: asObjects(message.parts) } : { info: message, parts: [] };
}

function readStoredMessages(storage: string, sessionId: string): readonly StoredMessage[] {
  const folder = join(storage, 'message', sessionId);
  return listNames(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => {
      const info = readFields(join(folder, name));
      if (!info) return [];
      const partFolder = join(storage, 'part', basename(name, '.json'));
      const parts = listNames(partFolder)
        .map((part) => readFields(join(partFolder, part)))
        .filter((part) => part !== undefined);
      return [{ info: { id: basename(name, '.json'), ...info }, parts }];
    });
}

function readFields(path: string): Fields | undefined {
  return asFields(readJsonFileIfValid(path));
}
