/** What a tool does, whatever its agent calls it. */
export type ToolFamily = 'shell' | 'read' | 'edit' | 'write' | 'patch' | 'search' | 'list' | 'poll' | 'other';

/** Names of tools, in lower case without separators. */
const FAMILIES: Readonly<Record<Exclude<ToolFamily, 'other'>, readonly string[]>> = {
  shell: [
    'bash',
    'shell',
    'execcommand',
    'shellcommand',
    'localshell',
    'localshellcall',
    'runshellcommand',
    'runinterminal',
    'runterminalcmd',
    'runterminalcommand',
    'runcommand',
    'executecommand',
    'terminal',
    'powershell',
    'sh',
  ],
  read: ['read', 'view', 'readfile', 'viewfile', 'notebookread', 'readmanyfiles', 'openfile', 'viewimage'],
  edit: [
    'edit',
    'multiedit',
    'editfile',
    'strreplace',
    'strreplaceeditor',
    'strreplacebasededittool',
    'replace',
    'searchreplace',
    'replaceinfile',
    'notebookedit',
    'insertedit',
  ],
  write: ['write', 'create', 'writefile', 'createfile', 'writetofile', 'newfile'],
  patch: ['applypatch', 'patch', 'applydiff'],
  search: [
    'grep',
    'search',
    'rg',
    'ripgrep',
    'searchfilecontent',
    'searchfiles',
    'grepsearch',
    'codebasesearch',
  ],
  list: ['glob', 'ls', 'list', 'listdirectory', 'listfiles', 'listdir', 'filesearch', 'find'],
  poll: ['writestdin', 'waitagent', 'bashoutput', 'readbash', 'stopbash', 'taskoutput', 'killshell', 'wait'],
};

const BY_NAME: ReadonlyMap<string, ToolFamily> = new Map(
  Object.entries(FAMILIES).flatMap(([family, names]) => names.map((name) => [name, family as ToolFamily])),
);

/** The family of a tool by its name; `other` for a tool nobody knows, e.g. of an MCP server. */
export function toolFamily(tool: string): ToolFamily {
  return BY_NAME.get(tool.toLowerCase().replace(/[^a-z0-9]/g, '')) ?? 'other';
}
