import { createHash } from 'node:crypto';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { omitUndefined } from '../../record/object.ts';
import { readDocument, type TranscriptDocument } from '../transcript/document.ts';
import { asFields, asList, asName, type Fields } from '../transcript/fields.ts';
import {
  fileHead,
  fileSource,
  firstFields,
  listFolder,
  listTranscriptFiles,
  readJsonFile,
  readJsonFileIfValid,
} from '../transcript/files.ts';
import { readJsonLines } from '../transcript/line-reading.ts';
import type { AgentTranscripts, TranscriptLocations, TranscriptSource } from '../transcript/transcript.ts';
import { GeminiRecordReader, type SessionFile } from './record-reader.ts';

/**
 * The sessions of Gemini CLI: `~/.gemini/tmp/<project>/chats/session-<time>-<id>.jsonl`, those of sub-agents in
 * `chats/<session>/<id>.jsonl`; older ones are single documents, `.json`. `GEMINI_CLI_HOME` replaces the home folder.
 */
export const geminiTranscripts: AgentTranscripts = {
  agent: 'gemini',
  find: (places) => {
    const projects = join(places.env.GEMINI_CLI_HOME || places.home, '.gemini', 'tmp');
    return listFolder(projects).flatMap(({ path }) => findInProject(path, places));
  },
  recognises: (path) => {
    if (path.endsWith('.json')) return /^\s*\{\s*"sessionId"[\s\S]*?"projectHash"/.test(fileHead(path));
    const first = firstFields(path);
    return asName(first?.sessionId) !== undefined && asName(first?.projectHash) !== undefined;
  },
  read: (source, position) => {
    const file = describeFile(source);
    return source.path.endsWith('.json')
      ? readDocument(source, position, () => openDocument(source.path, file))
      : readJsonLines(source, position, (state) => new GeminiRecordReader(state, file));
  },
};

function findInProject(folder: string, { projects }: TranscriptLocations): readonly TranscriptSource[] {
  const paths = listTranscriptFiles(join(folder, 'chats'), (name) => /\.jsonl?$/.test(name), 1);
  if (paths.length === 0) return [];
  const cwd = findProjectRoot(folder, projects);
  const all = new Set(paths);
  return (
    paths
      // A document that was resumed continues as lines, which begin with everything it held.
      .filter((path) => !(path.endsWith('.json') && all.has(`${path}l`)))
      .flatMap((path) => fileSource('gemini', path) ?? [])
      .map((source) => ({ ...source, ...omitUndefined({ cwd }) }))
  );
}

function describeFile(source: TranscriptSource): SessionFile {
  const sessionId = basename(source.path).replace(/\.jsonl?$/, '');
  const folder = dirname(source.path);
  const isSubagent = basename(folder) !== 'chats' && basename(dirname(folder)) === 'chats';
  const project = dirname(isSubagent ? dirname(folder) : folder);
  const cwd = source.cwd ?? findProjectRoot(project, []) ?? findRootByHash(fileHead(source.path));
  const parentSessionId = isSubagent ? basename(folder) : undefined;
  return { sessionId, ...omitUndefined({ parentSessionId, cwd }) };
}

/**
 * The root of the project whose sessions are in a folder of `~/.gemini/tmp`: the folder names it in `.project_root`, or
 * `projects.json` maps it to the folder's name, or, in older versions, the folder is named after its SHA-256. `known` are
 * other roots to try.
 */
function findProjectRoot(folder: string, known: readonly string[]): string | undefined {
  const marked = fileHead(join(folder, '.project_root')).trim();
  if (isAbsolute(marked)) return marked;
  const name = basename(folder);
  const registered = readRegisteredProjects(join(dirname(dirname(folder)), 'projects.json'));
  const [bySlug] = registered.find(([, slug]) => slug === name) ?? [];
  if (bySlug !== undefined) return bySlug;
  if (!/^[0-9a-f]{64}$/.test(name)) return undefined;
  return [...registered.map(([root]) => root), ...known].find((root) => sha256(root) === name);
}

/** Roots and folder names of the projects that Gemini CLI has been used in. */
function readRegisteredProjects(path: string): readonly (readonly [root: string, name: unknown])[] {
  const projects = asFields(asFields(readJsonFileIfValid(path))?.projects) ?? {};
  return Object.entries(projects).filter(([root]) => isAbsolute(root));
}

/** Paths in JSON, e.g. in the input of calls. */
const PATHS = /(?:[A-Za-z]:|(?<![\w.:/\\]))(?:(?:\/|\\{1,2})[^\s"'`<>|*?:;,()[\]/\\]{1,200}){1,40}/g;
const MAX_PATHS = 500;

/**
 * The root of a project whose hash a session names: one of the paths in the session, or a folder above them, has this hash.
 * `text` is the beginning of the session's file.
 */
function findRootByHash(text: string): string | undefined {
  const hash = /"projectHash":\s*"([0-9a-f]{64})"/.exec(text)?.[1];
  if (hash === undefined) return undefined;
  const tried = new Set<string>();
  for (const [found] of text.matchAll(PATHS)) {
    if (tried.size > MAX_PATHS) return undefined;
    for (let path = found.replaceAll('\\\\', '\\'); !tried.has(path); path = dirname(path)) {
      if (sha256(path) === hash) return path;
      tried.add(path);
    }
  }
  return undefined;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * Opens a session that is a single JSON document, as older versions of Gemini CLI wrote it; returns why if it is invalid.
 * Each call is an item of its own, because calls are added to messages that have been read before.
 */
function openDocument(path: string, file: SessionFile): TranscriptDocument | string {
  const content = readJsonFile(path);
  if (typeof content === 'string') return content;
  const document: Fields = asFields(content) ?? {};
  const sessionId = asName(document.sessionId) ?? file.sessionId;
  const records: readonly Fields[] = [{ sessionId }, ...asList(document.messages).flatMap(splitMessage)];
  const reader = new GeminiRecordReader(undefined, file);
  return {
    items: records.map(identify),
    read: (index) => reader.read(records[index] ?? {}),
  };
}

function splitMessage(value: unknown): readonly Fields[] {
  const message = asFields(value) ?? {};
  const { toolCalls, ...rest } = message;
  const calls = asList(toolCalls).map((call) => ({
    id: message.id,
    type: message.type,
    timestamp: message.timestamp,
    toolCalls: [call],
  }));
  const hasOnlyCalls = calls.length > 0 && message.content === '' && !message.tokens;
  return hasOnlyCalls ? calls : [rest, ...calls];
}

/** What distinguishes a record from another that may take its place. */
function identify(record: Fields): unknown {
  const call = asFields(asList(record.toolCalls)[0]);
  return call ? [record.id, call.id, call.status] : [record.sessionId, record.id, !record.content, !record.tokens];
}
