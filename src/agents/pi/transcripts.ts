import { join } from 'node:path';
import { asName } from '../transcript/fields.ts';
import { fileSource, firstFields, listFiles } from '../transcript/files.ts';
import { readJsonLines } from '../transcript/line-reading.ts';
import type { AgentTranscripts, MachinePlaces } from '../transcript/transcript-source.ts';
import { PiLineReader, parseSessionId } from './line-reader.ts';

/**
 * The sessions of pi: `~/.pi/agent/sessions/--<folder>--/<time>_<id>.jsonl`. `PI_CODING_AGENT_DIR` moves `~/.pi/agent`,
 * `PI_CODING_AGENT_SESSION_DIR` only the sessions, which are all in that folder then.
 */
export const piTranscripts: AgentTranscripts = {
  agent: 'pi',
  find: (places) => {
    const paths = listSessionFolders(places).flatMap((folder) =>
      listFiles(folder, (name) => name.endsWith('.jsonl'), 1),
    );
    return [...new Set(paths)].flatMap((path) => fileSource('pi', path) ?? []);
  },
  recognises: (path) => {
    const header = firstFields(path);
    return header?.type === 'session' && asName(header.id) !== undefined && typeof header.cwd === 'string';
  },
  read: (source, position) =>
    readJsonLines(
      source,
      position,
      (state) => new PiLineReader(state, parseSessionId(source.path) ?? 'unknown'),
    ),
};

function listSessionFolders({ home, env }: MachinePlaces): readonly string[] {
  const sessions = join(env.PI_CODING_AGENT_DIR || join(home, '.pi', 'agent'), 'sessions');
  const moved = env.PI_CODING_AGENT_SESSION_DIR;
  return moved ? [sessions, moved] : [sessions];
}
