import { lstatSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { readBytesAt, withOpenFile } from '../../files/index.ts';
import { asText, parseFields } from '../transcript/fields.ts';
import { fileHead, fileSource, listFiles, listFolder } from '../transcript/files.ts';
import { readJsonLines } from '../transcript/line-reading.ts';
import type { AgentTranscripts, MachinePlaces } from '../transcript/transcript-source.ts';
import { ClaudeCodeLines } from './line-reader.ts';

const AGENT = 'claude-code';
const ENDING = '.jsonl';
const SUB_AGENTS = 'subagents';
const DEEPEST_SUB_AGENT = 4;

/** What Claude Code keeps in `~/.claude/projects` (`CLAUDE_CONFIG_DIR`): sessions and their sub-agents. */
export const claudeCodeTranscripts: AgentTranscripts = {
  agent: AGENT,
  find: (places) => {
    const paths = configFolders(places).flatMap((folder) => projectFolders(folder).flatMap(transcriptsIn));
    return paths.flatMap((path) => fileSource(AGENT, path) ?? []);
  },
  recognises: (path) => path.endsWith(ENDING) && fileHead(path).split('\n').some(isClaudeCode),
  read: (source, position) => {
    const name = basename(source.path, ENDING);
    const saved = savedOutputs(sessionFolder(source.path, name));
    return readJsonLines(source, position, (state) => new ClaudeCodeLines({ name, saved }, state));
  },
};

function configFolders({ home, env }: MachinePlaces): readonly string[] {
  const chosen = env.CLAUDE_CONFIG_DIR;
  if (chosen) return chosen.split(',').map((folder) => folder.trim());
  return [join(home, '.claude'), join(env.XDG_CONFIG_HOME || join(home, '.config'), 'claude')];
}

function projectFolders(configFolder: string): readonly string[] {
  return listFolder(join(configFolder, 'projects')).flatMap((item) => (item.isFolder ? [item.path] : []));
}

function transcriptsIn(projectFolder: string): readonly string[] {
  return listFolder(projectFolder).flatMap((item) => {
    if (!item.isFolder) return item.name.endsWith(ENDING) ? [item.path] : [];
    return listFiles(join(item.path, SUB_AGENTS), isSubAgentFile, DEEPEST_SUB_AGENT);
  });
}

function isSubAgentFile(name: string): boolean {
  return name.startsWith('agent-') && name.endsWith(ENDING);
}

/** The folder beside a session's transcript, in which those of its sub-agents are. */
function sessionFolder(path: string, name: string): string {
  const at = path.lastIndexOf(`${sep}${SUB_AGENTS}${sep}`);
  return at < 0 ? join(dirname(path), name) : path.slice(0, at);
}

const TURNS: ReadonlySet<string> = new Set(['user', 'assistant', 'system', 'attachment', 'progress']);

function isClaudeCode(line: string): boolean {
  const fields = parseFields(line);
  if (!fields || !TURNS.has(asText(fields.type) ?? '')) return false;
  return typeof fields.sessionId === 'string' && typeof fields.uuid === 'string' && 'isSidechain' in fields;
}

const END_BYTES = 16 * 1024;

/**
 * Gives what Claude Code saved of large outputs in the folder of a session: the beginning and the end of it. Only files
 * in that folder are looked at, wherever a transcript points to.
 */
export function savedOutputs(sessionFolder: string): (path: string) => string | undefined {
  return (path) => {
    const named = path.replaceAll('\\', '/');
    const name = basename(named);
    if (basename(dirname(named)) !== FOLDER || name === '' || name === '..') return undefined;
    return endsOf(join(sessionFolder, FOLDER, name));
  };
}

const FOLDER = 'tool-results';

function endsOf(path: string): string | undefined {
  try {
    const { size } = lstatSync(path);
    if (!lstatSync(path).isFile()) return undefined;
    return withOpenFile(
      path,
      (descriptor) => {
        if (size <= 2 * END_BYTES) return readBytesAt(descriptor, 0, size).toString('utf8');
        const head = readBytesAt(descriptor, 0, END_BYTES).toString('utf8');
        const tail = readBytesAt(descriptor, size - END_BYTES, END_BYTES).toString('utf8');
        return `${head}\n… ${size - 2 * END_BYTES} bytes left out …\n${tail}`;
      },
      undefined,
    );
  } catch {
    return undefined;
  }
}
