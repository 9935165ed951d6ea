import { basename, join } from 'node:path';
import type { AgentName } from '../agent-name.ts';
import { readDocument } from '../transcript/document.ts';
import { asObjects } from '../transcript/fields.ts';
import { fileHead, fileSource, listNames, readJsonFileIfValid } from '../transcript/files.ts';
import type { AgentTranscripts, TranscriptLocations } from '../transcript/transcript.ts';
import { openTask } from './task.ts';
import { TaskDocument } from './task-document.ts';

const HISTORY = 'api_conversation_history.json';
const ROO = 'rooveterinaryinc.roo-cline';

/**
 * The tasks of Cline: `tasks/<id>/api_conversation_history.json` in the extension's storage of VS Code or a relative of
 * it, or in `~/.cline/data`; from version 4 on, and in the CLI, `~/.cline/data/sessions/<id>/<id>.messages.json`.
 */
export const clineTranscripts: AgentTranscripts = {
  ...createTranscripts('cline', 'saoudrizwan.claude-dev', (path) => !path.includes(ROO)),
  find: (places) => [
    ...findTasks('cline', [
      ...listStorageFolders(places).map((folder) => join(folder, 'saoudrizwan.claude-dev', 'tasks')),
      join(dataFolder(places), 'tasks'),
    ]),
    ...findSessions(join(dataFolder(places), 'sessions')),
  ],
};

/** The tasks of Roo Code, a fork of Cline that stores them in the same form. */
export const rooTranscripts: AgentTranscripts = createTranscripts('roo', ROO, (path) => path.includes(ROO));

function createTranscripts(agent: AgentName, extension: string, isOwn: (path: string) => boolean): AgentTranscripts {
  return {
    agent,
    find: (places) =>
      findTasks(
        agent,
        listStorageFolders(places).map((folder) => join(folder, extension, 'tasks')),
      ),
    recognises: (path) => isOwn(path) && looksLikeTask(path),
    read: (source, position) =>
      readDocument(source, position, () => {
        const task = openTask(source.path);
        return typeof task === 'string' ? task : new TaskDocument(task);
      }),
  };
}

function findTasks(agent: AgentName, folders: readonly string[]) {
  return folders.flatMap((tasks) =>
    listNames(tasks).flatMap((id) => fileSource(agent, join(tasks, id, HISTORY)) ?? []),
  );
}

function findSessions(sessions: string) {
  return listNames(sessions).flatMap((id) => fileSource('cline', join(sessions, id, `${id}.messages.json`)) ?? []);
}

function dataFolder({ home, env }: TranscriptLocations): string {
  return env.CLINE_DATA_DIR || join(env.CLINE_DIR || join(home, '.cline'), 'data');
}

function looksLikeTask(path: string): boolean {
  if (basename(path) === HISTORY) return asObjects(readJsonFileIfValid(path)).some((message) => 'role' in message);
  const head = path.endsWith('.messages.json') ? fileHead(path) : '';
  return /^\s*\{/.test(head) && /"(?:sessionId|messages)"/.test(head);
}

/** Folder names of VS Code and its relatives. */
const PRODUCTS = ['Code', 'Code - Insiders', 'Code - OSS', 'VSCodium', 'Cursor', 'Windsurf', 'Trae', 'Positron'];

/** Folder names of their servers, in the home folder of a remote machine. */
const SERVERS = ['.vscode-server', '.vscode-server-insiders', '.cursor-server', '.windsurf-server'];

/** Where VS Code and its relatives may keep the files of extensions. */
function listStorageFolders(places: TranscriptLocations): readonly string[] {
  const settings = editorDataFolder(places);
  return [
    ...PRODUCTS.map((product) => join(settings, product, 'User', 'globalStorage')),
    ...SERVERS.map((server) => join(places.home, server, 'data', 'User', 'globalStorage')),
  ];
}

function editorDataFolder({ home, env, platform }: TranscriptLocations): string {
  if (platform === 'win32') return env.APPDATA || join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  return env.XDG_CONFIG_HOME || join(home, '.config');
}
