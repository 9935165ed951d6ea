import { basename, dirname, join } from 'node:path';
import { readDocument } from '../transcript/document.ts';
import { asName } from '../transcript/fields.ts';
import { fileHead, firstFields } from '../transcript/file-head.ts';
import { fileSource } from '../transcript/file-source.ts';
import { readJsonLines } from '../transcript/json-lines.ts';
import { listFiles, listFolder } from '../transcript/list-folder.ts';
import type { AgentTranscripts, MachinePlaces, TranscriptSource } from '../transcript/transcript-source.ts';
import { openDocument } from './document.ts';
import { projectRoot, rootInText } from './project-root.ts';
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
