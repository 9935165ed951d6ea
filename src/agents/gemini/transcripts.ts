import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { YoreError } from '../../record/index.ts';
import { MAX_DOCUMENT_BYTES, readDocument, type TranscriptDocument } from '../transcript/document.ts';
import { asFields, asList, asName, type Fields, parseFields } from '../transcript/fields.ts';
import { fileHead, fileSource, firstFields, listFiles, listFolder } from '../transcript/files.ts';
import { readJsonLines } from '../transcript/line-reading.ts';
import type { AgentTranscripts, MachinePlaces, TranscriptSource } from '../transcript/transcript-source.ts';
import { type FilePlace, GeminiRecordReader } from './record-reader.ts';

/**
 * The sessions of Gemini CLI: `~/.gemini/tmp/<project>/chats/session-<time>-<id>.jsonl`, with those of sub-agents in
 * `chats/<session>/<id>.jsonl`; older ones are whole documents, `.json`. `GEMINI_CLI_HOME` stands for the home folder.
 */
export const geminiTranscripts: AgentTranscripts = {
  agent: 'gemini',
  find: (places) => {
    const temporary = join(places.env.GEMINI_CLI_HOME || places.home, '.gemini', 'tmp');
    return listFolder(temporary).flatMap(({ path }) => projectSources(path, places));
  },
  recognises: (path) => {
    if (path.endsWith('.json')) return /^\s*\{\s*"sessionId"[\s\S]*?"projectHash"/.test(fileHead(path));
    const first = firstFields(path);
    return asName(first?.sessionId) !== undefined && asName(first?.projectHash) !== undefined;
  },
  read: (source, position) => {
    const place = placeOf(source);
    return source.path.endsWith('.json')
      ? readDocument(source, position, () => openDocument(source, place))
      : readJsonLines(source, position, (state) => new GeminiRecordReader(state, place));
  },
};

function projectSources(folder: string, { projects }: MachinePlaces): readonly TranscriptSource[] {
  const paths = listFiles(join(folder, 'chats'), (name) => /\.jsonl?$/.test(name), 1);
  if (paths.length === 0) return [];
  const cwd = projectRoot(folder, projects);
  const all = new Set(paths);
  return (
    paths
      // A document that was resumed goes on in lines, which begin with all that it held.
      .filter((path) => !(path.endsWith('.json') && all.has(`${path}l`)))
      .flatMap((path) => fileSource('gemini', path) ?? [])
      .map((source) => (cwd === undefined ? source : { ...source, cwd }))
  );
}

function placeOf(source: TranscriptSource): FilePlace {
  const sessionId = basename(source.path).replace(/\.jsonl?$/, '');
  const folder = dirname(source.path);
  const isSubagent = basename(folder) !== 'chats' && basename(dirname(folder)) === 'chats';
  const project = dirname(isSubagent ? dirname(folder) : folder);
  const cwd = source.cwd ?? projectRoot(project, []) ?? rootInText(fileHead(source.path));
  return {
    sessionId,
    ...(isSubagent ? { parentSessionId: basename(folder) } : {}),
    ...(cwd === undefined ? {} : { cwd }),
  };
}

/**
 * The root of the project whose files are in a folder of `~/.gemini/tmp`: the folder says so itself in `.project_root`,
 * or `projects.json` maps the root to the folder's name, or, in older versions, the name is the SHA-256 of the root.
 * `known`: roots of other projects to try. Undefined when it cannot be known.
 */
export function projectRoot(folder: string, known: readonly string[]): string | undefined {
  const marked = fileHead(join(folder, '.project_root')).trim();
  if (isAbsolute(marked)) return marked;
  const name = basename(folder);
  const registered = registeredProjects(join(dirname(dirname(folder)), 'projects.json'));
  const [bySlug] = registered.find(([, slug]) => slug === name) ?? [];
  if (bySlug !== undefined) return bySlug;
  if (!/^[0-9a-f]{64}$/.test(name)) return undefined;
  return [...registered.map(([root]) => root), ...known].find((root) => sha256(root) === name);
}

/** Paths in JSON, e.g. in the arguments of calls. */
const PATHS = /(?:[A-Za-z]:|(?<![\w.:/\\]))(?:(?:\/|\\{1,2})[^\s"'`<>|*?:;,()[\]/\\]{1,200}){1,40}/g;
const MOST_PATHS = 500;

/**
 * The root of a project of which only the hash is known: of the paths in a session, and the folders they are in, the one
 * that has this hash. `text`: the beginning of the session's file.
 */
export function rootInText(text: string): string | undefined {
  const hash = /"projectHash":\s*"([0-9a-f]{64})"/.exec(text)?.[1];
  if (hash === undefined) return undefined;
  const tried = new Set<string>();
  for (const [found] of text.matchAll(PATHS)) {
    if (tried.size > MOST_PATHS) return undefined;
    for (let path = found.replaceAll('\\\\', '\\'); !tried.has(path); path = dirname(path)) {
      if (sha256(path) === hash) return path;
      tried.add(path);
    }
  }
  return undefined;
}

/** Root and name of each project that Gemini CLI has met. */
function registeredProjects(path: string): readonly (readonly [root: string, name: unknown])[] {
  try {
    const projects = asFields(parseFields(readFileSync(path, 'utf8'))?.projects) ?? {};
    return Object.entries(projects).filter(([root]) => isAbsolute(root));
  } catch {
    return [];
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * A session that is one JSON document, as older versions of Gemini CLI kept it: its messages, and each call of a message
 * for itself, since calls are added to a message that was read before. Or why there is none.
 */
export function openDocument(source: TranscriptSource, place: FilePlace): TranscriptDocument | string {
  if (source.size > MAX_DOCUMENT_BYTES) return 'document of more than 64 MB';
  const document = parseFields(textOf(source.path));
  if (!document) return 'not a JSON object';
  const sessionId = asName(document.sessionId) ?? place.sessionId;
  const records: readonly Fields[] = [{ sessionId }, ...asList(document.messages).flatMap(recordsOf)];
  const reader = new GeminiRecordReader(undefined, place);
  return {
    items: records.map(identityOf),
    read: (index) => reader.read(records[index] ?? {}),
  };
}

function recordsOf(value: unknown): readonly Fields[] {
  const message = asFields(value) ?? {};
  const { toolCalls, ...rest } = message;
  const calls = asList(toolCalls).map((call) => ({
    id: message.id,
    type: message.type,
    timestamp: message.timestamp,
    toolCalls: [call],
  }));
  const saysNothing = calls.length > 0 && message.content === '' && !message.tokens;
  return saysNothing ? calls : [rest, ...calls];
}

/** What tells a record from what may come in its place. */
function identityOf(record: Fields): unknown {
  const call = asFields(asList(record.toolCalls)[0]);
  return call
    ? [record.id, call.id, call.status]
    : [record.sessionId, record.id, !record.content, !record.tokens];
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new YoreError(
      'STORAGE',
      `Cannot read ${path}: ${detail}. Make it readable for you and try again.`,
      {
        cause: error,
      },
    );
  }
}
