import { lstatSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { readBytesAt, withOpenFile } from '../../files/file-access.ts';
import { parseObject } from '../../record/object.ts';
import { asFields, asText } from '../transcript/fields.ts';
import { fileSource, hasLine, listFolder, listTranscriptFiles } from '../transcript/files.ts';
import { readJsonLines } from '../transcript/line-reading.ts';
import type { AgentTranscripts, TranscriptLocations } from '../transcript/transcript.ts';
import { ClaudeCodeReader } from './line-reader.ts';

const AGENT = 'claude-code';
const EXTENSION = '.jsonl';
const SUB_AGENTS = 'subagents';
const MAX_SUB_AGENT_DEPTH = 4;

/** Sessions and their sub-agents in `~/.claude/projects` (`CLAUDE_CONFIG_DIR`). */
export const claudeCodeTranscripts: AgentTranscripts = {
  agent: AGENT,
  find: (places) => {
    const paths = listConfigFolders(places).flatMap((folder) => listProjectFolders(folder).flatMap(listTranscripts));
    return paths.flatMap((path) => fileSource(AGENT, path) ?? []);
  },
  recognises: (path) => path.endsWith(EXTENSION) && hasLine(path, isClaudeCode),
  read: (source, position) => {
    const name = basename(source.path, EXTENSION);
    const readSaved = createSavedOutputReader(sessionFolder(source.path, name));
    return readJsonLines(source, position, (state) => new ClaudeCodeReader({ name, readSaved }, state));
  },
};

function listConfigFolders({ home, env }: TranscriptLocations): readonly string[] {
  const chosen = env.CLAUDE_CONFIG_DIR;
  if (chosen) return chosen.split(',').map((folder) => folder.trim());
  return [join(home, '.claude'), join(env.XDG_CONFIG_HOME || join(home, '.config'), 'claude')];
}

function listProjectFolders(configFolder: string): readonly string[] {
  return listFolder(join(configFolder, 'projects')).flatMap((item) => (item.isFolder ? [item.path] : []));
}

function listTranscripts(projectFolder: string): readonly string[] {
  return listFolder(projectFolder).flatMap((item) => {
    if (!item.isFolder) return item.name.endsWith(EXTENSION) ? [item.path] : [];
    return listTranscriptFiles(join(item.path, SUB_AGENTS), isSubAgentFile, MAX_SUB_AGENT_DEPTH);
  });
}

function isSubAgentFile(name: string): boolean {
  return name.startsWith('agent-') && name.endsWith(EXTENSION);
}

/** The folder beside a session's transcript that holds those of its sub-agents. */
function sessionFolder(path: string, name: string): string {
  const at = path.lastIndexOf(`${sep}${SUB_AGENTS}${sep}`);
  return at < 0 ? join(dirname(path), name) : path.slice(0, at);
}

const MESSAGE_LINE_TYPES: ReadonlySet<string> = new Set(['user', 'assistant', 'system', 'attachment', 'progress']);

function isClaudeCode(line: string): boolean {
  const fields = parseObject(line);
  if (!fields || !MESSAGE_LINE_TYPES.has(asText(fields.type) ?? '')) return false;
  // Agents that imitate the format have the parts of another model's API in their messages.
  const isImitation = Array.isArray(asFields(fields.message)?.parts);
  const hasIds = typeof fields.sessionId === 'string' && typeof fields.uuid === 'string';
  return hasIds && 'isSidechain' in fields && !isImitation;
}

const END_BYTES = 16 * 1024;

/**
 * Reads large outputs that Claude Code saved in the folder of a session: their beginning and their end. Only files in that
 * folder are read, whatever path a transcript names.
 */
function createSavedOutputReader(sessionFolder: string): (path: string) => string | undefined {
  return (path) => {
    const named = path.replaceAll('\\', '/');
    const name = basename(named);
    if (basename(dirname(named)) !== SAVED_OUTPUTS || name === '' || name === '..') return undefined;
    return readEnds(join(sessionFolder, SAVED_OUTPUTS, name));
  };
}

const SAVED_OUTPUTS = 'tool-results';

function readEnds(path: string): string | undefined {
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
