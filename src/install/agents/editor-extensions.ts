import type { AgentUnit } from '../agent-unit.ts';
import { joinPath, type Machine, serverCommand } from '../machine.ts';
import { serverAddition, type Target } from '../target.ts';

/** Folder names of the editors that run these extensions. */
const EDITORS = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'];

/** Cline: no hooks that fit; the MCP server in the settings it keeps inside of the editor's. */
export const clineUnit: AgentUnit = editorUnit({
  agent: 'cline',
  title: 'Cline',
  extension: 'saoudrizwan.claude-dev',
  file: 'cline_mcp_settings.json',
});

/** Roo Code: as Cline, and a file in the project. */
export const rooUnit: AgentUnit = editorUnit({
  agent: 'roo',
  title: 'Roo Code',
  extension: 'rooveterinaryinc.roo-cline',
  file: 'mcp_settings.json',
  projectFile: ['.roo', 'mcp.json'],
});

interface EditorExtension {
  readonly agent: 'cline' | 'roo';
  readonly title: string;
  /** Its id in the editor's marketplace. */
  readonly extension: string;
  readonly file: string;
  readonly projectFile?: readonly string[];
}

function editorUnit({ agent, title, extension, file, projectFile }: EditorExtension): AgentUnit {
  const folders = (machine: Machine): readonly string[] =>
    EDITORS.map((editor) =>
      joinPath(machine, editorData(machine), editor, 'User', 'globalStorage', extension),
    );
  return {
    agent,
    title,
    commands: [],
    traces: folders,
    targets(machine, scope): readonly Target[] {
      const [command, ...args] = serverCommand(machine, scope);
      const additions = [serverAddition('mcpServers', { command, args })];
      if (scope.kind === 'user') {
        return folders(machine).map((folder) => ({
          kind: 'json',
          path: joinPath(machine, folder, 'settings', file),
          additions,
          onlyIn: folder,
        }));
      }
      return projectFile
        ? [{ kind: 'json', path: joinPath(machine, scope.root, ...projectFile), additions }]
        : [];
    },
    limit: `${title} has no hooks that yore can use: its tasks are imported, and MCP answers it.`,
  };
}

function editorData(machine: Machine): string {
  const { platform, userHome, env } = machine;
  if (platform === 'win32') return env.APPDATA || joinPath(machine, userHome, 'AppData', 'Roaming');
  if (platform === 'darwin') return joinPath(machine, userHome, 'Library', 'Application Support');
  return env.XDG_CONFIG_HOME || joinPath(machine, userHome, '.config');
}
