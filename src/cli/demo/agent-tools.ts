import type { ToolCall } from '../../facts/call/tool-call.ts';
import { type DemoCall, type DemoSession, toText } from './demo-data.ts';

type Agent = DemoSession['agent'];
type AgentCall = Pick<ToolCall, 'tool' | 'input'>;

/** Per agent and action: the name of its tool, then the names of the tool's arguments. */
const TOOLS = {
  'claude-code': {
    run: ['Bash', 'command'],
    read: ['Read', 'file_path'],
    write: ['Write', 'file_path', 'content'],
    edit: ['Edit', 'file_path', 'old_string', 'new_string'],
    search: ['Grep', 'pattern', 'path'],
  },
  gemini: {
    run: ['run_shell_command', 'command'],
    read: ['read_file', 'absolute_path'],
    write: ['write_file', 'file_path', 'content'],
    edit: ['replace', 'file_path', 'old_string', 'new_string'],
    search: ['search_file_content', 'pattern', 'path'],
  },
  copilot: {
    run: ['bash', 'command'],
    read: ['view', 'path'],
    write: ['create', 'path', 'file_text'],
    edit: ['edit', 'path', 'old_str', 'new_str'],
    search: ['grep', 'pattern', 'path'],
  },
} as const;

/** The tool call by which an agent does something. */
export function toAgentCall(agent: Agent, call: DemoCall): AgentCall {
  const [action, values] = toArguments(call);
  if (agent === 'codex') return toCodexCall(action, values);
  const [tool, ...names] = TOOLS[agent][action];
  return { tool, input: Object.fromEntries(names.map((name, index) => [name, values[index]])) };
}

type Action = keyof (typeof TOOLS)['claude-code'];

function toArguments(call: DemoCall): readonly [action: Action, values: readonly string[]] {
  if ('run' in call) return ['run', [call.run]];
  if ('commit' in call) return ['run', [`git commit -am ${JSON.stringify(call.commit)}`]];
  if ('read' in call) return ['read', [call.read]];
  if ('write' in call) return ['write', [call.write, toText(call.content)]];
  if ('edit' in call) return ['edit', [call.edit, toText(call.old), toText(call.new)]];
  return ['search', [call.search, call.path]];
}

/** Codex has a shell for most things, and changes files with patches. */
function toCodexCall(action: Action, [first = '', second = '', third = '']: readonly string[]): AgentCall {
  switch (action) {
    case 'run':
      return codexShell(first);
    case 'read':
      return codexShell(`sed -n '1,200p' ${first}`);
    case 'search':
      return codexShell(`rg -n ${JSON.stringify(first)} ${second}`);
    case 'write':
      return codexPatch(`*** Add File: ${first}`, ...prefixLines('+', second));
    case 'edit':
      return codexPatch(`*** Update File: ${first}`, '@@', ...prefixLines('-', second), ...prefixLines('+', third));
  }
}

function codexShell(command: string): AgentCall {
  return { tool: 'shell', input: { command: ['bash', '-lc', command] } };
}

function codexPatch(...lines: readonly string[]): AgentCall {
  return { tool: 'apply_patch', input: { input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') } };
}

function prefixLines(prefix: string, text: string): readonly string[] {
  return text.split('\n').map((line) => prefix + line);
}
