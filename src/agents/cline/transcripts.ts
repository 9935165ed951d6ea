import { basename, join } from 'node:path';
import type { AgentName } from '../agent-name.ts';
import { readDocument } from '../transcript/document.ts';
import { fileHead, fileSource, listNames } from '../transcript/files.ts';
import type { AgentTranscripts, MachinePlaces } from '../transcript/transcript-source.ts';
import { openTask } from './task.ts';
import { TaskDocument } from './task-document.ts';

const HISTORY = 'api_conversation_history.json';
const ROO = 'rooveterinaryinc.roo-cline';

/**
 * The tasks of Cline: `tasks/<id>/api_conversation_history.json` where VS Code or a relative of it keeps what belongs to
 * the extension, or in `~/.cline/data`; from version 4 on `~/.cline/data/sessions/<id>/<id>.messages.json`.
 */
export const clineTranscripts: AgentTranscripts = {
  ...transcriptsOf('cline', 'saoudrizwan.claude-dev', (path) => !path.includes(ROO)),
  find: (places) => [
    ...tasksIn('cline', [
      ...storageFolders(places).map((folder) => join(folder, 'saoudrizwan.claude-dev', 'tasks')),
      join(dataFolder(places), 'tasks'),
    ]),
    ...sessionsIn(join(dataFolder(places), 'sessions')),
  ],
};

/** The tasks of Roo Code, which began as a copy of Cline and keeps them alike. */
export const rooTranscripts: AgentTranscripts = transcriptsOf('roo', ROO, (path) => path.includes(ROO));

function transcriptsOf(
  agent: AgentName,
  extension: string,
  isOwn: (path: string) => boolean,
): AgentTranscripts {
  return {
    agent,
    find: (places) =>
      tasksIn(
        agent,
        storageFolders(places).map((folder) => join(folder, extension, 'tasks')),
      ),
    recognises: (path) => isOwn(path) && looksLikeTask(path),
    read: (source, position) =>
      readDocument(source, position, () => {
        const task = openTask(source.path);
        return typeof task === 'string' ? task : new TaskDocument(task);
      }),
  };
}

function tasksIn(agent: AgentName, folders: readonly string[]) {
  return folders.flatMap((tasks) =>
    listNames(tasks).flatMap((id) => fileSource(agent, join(tasks, id, HISTORY)) ?? []),
  );
}

function sessionsIn(sessions: string) {
  return listNames(sessions).flatMap(
    (id) => fileSource('cline', join(sessions, id, `${id}.messages.json`)) ?? [],
  );
}

function dataFolder({ home, env }: MachinePlaces): string {
  return join(env.CLINE_DIR || join(home, '.cline'), 'data');
}

function looksLikeTask(path: string): boolean {
  const head = fileHead(path);
  if (basename(path) === HISTORY) return /^\s*\[/.test(head) && head.includes('"role"');
  return path.endsWith('.messages.json') && /^\s*\{/.test(head) && head.includes('"sessionId"');
}

/** VS Code and its relatives, by the name of their folder. */
const PRODUCTS = [
  'Code',
  'Code - Insiders',
  'Code - OSS',
  'VSCodium',
  'Cursor',
  'Windsurf',
  'Trae',
  'Positron',
];

/** What they are called where they run on another machine's behalf, in the home folder there. */
const SERVERS = ['.vscode-server', '.vscode-server-insiders', '.cursor-server', '.windsurf-server'];

/** The folders in which VS Code and its relatives keep what belongs to extensions, whether they are there or not. */
export function storageFolders(places: MachinePlaces): readonly string[] {
  const settings = settingsFolder(places);
  return [
    ...PRODUCTS.map((product) => join(settings, product, 'User', 'globalStorage')),
    ...SERVERS.map((server) => join(places.home, server, 'data', 'User', 'globalStorage')),
  ];
}

function settingsFolder({ home, env, platform }: MachinePlaces): string {
  if (platform === 'win32') return env.APPDATA || join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  return env.XDG_CONFIG_HOME || join(home, '.config');
}
