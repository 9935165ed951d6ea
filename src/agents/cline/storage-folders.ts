import { join } from 'node:path';
import type { MachinePlaces } from '../transcript/transcript-source.ts';

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
