import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileHead, fileSource } from '../transcript/files.ts';
import { readTextLines } from '../transcript/line-reading.ts';
import type { AgentTranscripts } from '../transcript/transcript.ts';
import { ChatReader } from './chat-reader.ts';

const HISTORY = '.aider.chat.history.md';

/**
 * The chat histories of aider: `.aider.chat.history.md` in the folders of known projects and at the roots of their
 * repositories (`AIDER_CHAT_HISTORY_FILE` for another file). Markdown, with a time only at the start of a chat.
 */
export const aiderTranscripts: AgentTranscripts = {
  agent: 'aider',
  find: ({ projects, env }) => {
    const folders = projects.flatMap((project) => [project, findRepositoryRoot(project) ?? project]);
    const named = env.AIDER_CHAT_HISTORY_FILE;
    const paths = folders.map((folder) => (named ? resolve(folder, named) : join(folder, HISTORY)));
    return [...new Set(paths)].flatMap((path) => fileSource('aider', path) ?? []);
  },
  recognises: (path) =>
    basename(path) === HISTORY || (path.endsWith('.md') && /^\s*# aider chat started at /.test(fileHead(path))),
  read: (source, position) =>
    readTextLines(source, position, (state) => new ChatReader(source.cwd ?? dirname(source.path), state)),
};

/** The nearest folder with a `.git`, this one or above. */
function findRepositoryRoot(folder: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return undefined;
  }
}
