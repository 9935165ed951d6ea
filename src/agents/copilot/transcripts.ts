import { basename, dirname, join } from 'node:path';
import { asFields, asName } from '../transcript/fields.ts';
import { fileHead, fileSource, firstFields, listFolder } from '../transcript/files.ts';
import { readJsonLines } from '../transcript/line-reading.ts';
import type { AgentTranscripts, TranscriptLocations } from '../transcript/transcript.ts';
import { CopilotLineReader, type SessionFile } from './line-reader.ts';

const EVENTS = 'events.jsonl';

/**
 * The sessions of Copilot CLI: `~/.copilot/session-state/<id>/events.jsonl`, older ones `session-state/<id>.jsonl`.
 * `COPILOT_HOME` replaces `~/.copilot`; older versions also used the XDG folders.
 */
export const copilotTranscripts: AgentTranscripts = {
  agent: 'copilot',
  find: (places) =>
    listFolders(places)
      .flatMap((folder) => listFolder(join(folder, 'session-state')))
      .map(({ path, isFolder }) => (isFolder ? join(path, EVENTS) : path))
      .filter((path) => path.endsWith('.jsonl'))
      .flatMap((path) => fileSource('copilot', path) ?? []),
  recognises: (path) => {
    const first = firstFields(path);
    return first?.type === 'session.start' && asName(asFields(first.data)?.sessionId) !== undefined;
  },
  read: (source, position) =>
    readJsonLines(source, position, (state) => new CopilotLineReader(state, describeFile(source.path))),
};

function listFolders({ home, env }: TranscriptLocations): readonly string[] {
  const main = env.COPILOT_HOME || join(home, '.copilot');
  const older = [env.XDG_STATE_HOME, env.XDG_CONFIG_HOME].flatMap((folder) =>
    folder ? [join(folder, '.copilot')] : [],
  );
  return [...new Set([main, ...older])];
}

function describeFile(path: string): SessionFile {
  const name = basename(path);
  if (name !== EVENTS) return { sessionId: name.replace(/\.jsonl$/, '') };
  const folder = dirname(path);
  const cwd = /^cwd: *(\S.*?) *$/m.exec(fileHead(join(folder, 'workspace.yaml')))?.[1];
  return { sessionId: basename(folder), ...(cwd === undefined ? {} : { cwd: unquote(cwd) }) };
}

function unquote(text: string): string {
  return text.replace(/^(["'])(.*)\1$/, '$2');
}
