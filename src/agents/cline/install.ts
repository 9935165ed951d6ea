import {
  type AgentInstallation,
  joinPath,
  type Machine,
  serverAddition,
  serverEntry,
  type Target,
} from '../installation.ts';

/** Folder names of the editors that run these extensions. */
const EDITORS = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'];

interface EditorExtension {
  readonly title: string;
  /** Its id in the editor's marketplace. */
  readonly id: string;
  readonly settingsFile: string;
  /** Path below the project's folder. */
  readonly projectFile?: readonly string[];
  readonly cli?: CommandLine;
}

/** The command line of the same agent. */
interface CommandLine {
  readonly command: string;
  readonly tested: NonNullable<AgentInstallation['tested']>;
  folder(machine: Machine): string;
  settingsFile(machine: Machine): string;
}

/** The MCP server goes into the extension's settings, which are part of the editor's, and into those of the CLI. */
export const clineInstallation: AgentInstallation = buildInstallation({
  title: 'Cline',
  id: 'saoudrizwan.claude-dev',
  settingsFile: 'cline_mcp_settings.json',
  cli: {
    command: 'cline',
    tested: { package: 'cline', version: '3.0.65' },
    folder: clineFolder,
    settingsFile: (machine) =>
      machine.env.CLINE_MCP_SETTINGS_PATH ||
      joinPath(
        machine,
        machine.env.CLINE_DATA_DIR || joinPath(machine, clineFolder(machine), 'data'),
        'settings',
        'cline_mcp_settings.json',
      ),
  },
});

/** Like Cline, with a settings file for the project too. */
export const rooInstallation: AgentInstallation = buildInstallation({
  title: 'Roo Code',
  id: 'rooveterinaryinc.roo-cline',
  settingsFile: 'mcp_settings.json',
  projectFile: ['.roo', 'mcp.json'],
});

function buildInstallation({ title, id, settingsFile, projectFile, cli }: EditorExtension): AgentInstallation {
  const storageFolders = (machine: Machine): readonly string[] =>
    EDITORS.map((editor) => joinPath(machine, editorDataFolder(machine), editor, 'User', 'globalStorage', id));
  return {
    commands: cli ? [cli.command] : [],
    ...(cli ? { tested: cli.tested } : {}),
    traces: (machine) => [...storageFolders(machine), ...(cli ? [cli.folder(machine)] : [])],
    targets(machine, scope): readonly Target[] {
      const additions = [serverAddition('mcpServers', serverEntry(machine, scope))];
      if (scope.kind === 'user') {
        const inEditors = storageFolders(machine).map(
          (folder): Target => ({
            kind: 'json',
            path: joinPath(machine, folder, 'settings', settingsFile),
            additions,
            requiredFolder: folder,
          }),
        );
        return cli ? [...inEditors, { kind: 'json', path: cli.settingsFile(machine), additions }] : inEditors;
      }
      return projectFile ? [{ kind: 'json', path: joinPath(machine, scope.root, ...projectFile), additions }] : [];
    },
    limitation: `${title} has no hooks that yore can use: its tasks are imported, and it can ask through MCP.`,
  };
}

function clineFolder(machine: Machine): string {
  return machine.env.CLINE_DIR || joinPath(machine, machine.userHome, '.cline');
}

function editorDataFolder(machine: Machine): string {
  const { platform, userHome, env } = machine;
  if (platform === 'win32') return env.APPDATA || joinPath(machine, userHome, 'AppData', 'Roaming');
  if (platform === 'darwin') return joinPath(machine, userHome, 'Library', 'Application Support');
  return env.XDG_CONFIG_HOME || joinPath(machine, userHome, '.config');
}
