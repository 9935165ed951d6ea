import type { ToolCall } from '../../memory/index.ts';
import type { Deed, DemoAgent } from './script.ts';

type Call = Pick<ToolCall, 'tool' | 'input'>;

/** What each agent calls a deed, with the names of its arguments. */
const TOOLS: Readonly<Record<DemoAgent, (deed: Deed) => Call>> = {
  'claude-code': claudeCode,
  codex,
  gemini,
  copilot,
};

/** The tool call by which an agent does something. */
export function toolCallOf(agent: DemoAgent, deed: Deed): Call {
  return TOOLS[agent](deed);
}

function claudeCode(deed: Deed): Call {
  switch (deed.does) {
    case 'run':
      return { tool: 'Bash', input: { command: deed.command } };
    case 'read':
      return { tool: 'Read', input: { file_path: deed.path } };
    case 'write':
      return { tool: 'Write', input: { file_path: deed.path, content: deed.content } };
    case 'edit':
      return {
        tool: 'Edit',
        input: { file_path: deed.path, old_string: deed.from, new_string: deed.to },
      };
    case 'search':
      return { tool: 'Grep', input: { pattern: deed.pattern, path: deed.path } };
  }
}

function codex(deed: Deed): Call {
  const shell = (command: string): Call => ({ tool: 'shell', input: { command: ['bash', '-lc', command] } });
  const patch = (lines: readonly string[]): Call => ({
    tool: 'apply_patch',
    input: { input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') },
  });
  switch (deed.does) {
    case 'run':
      return shell(deed.command);
    case 'read':
      return shell(`sed -n '1,200p' ${deed.path}`);
    case 'write':
      return patch([`*** Add File: ${deed.path}`, ...marked('+', deed.content)]);
    case 'edit':
      return patch([
        `*** Update File: ${deed.path}`,
        '@@',
        ...marked('-', deed.from),
        ...marked('+', deed.to),
      ]);
    case 'search':
      return shell(`rg -n ${JSON.stringify(deed.pattern)} ${deed.path}`);
  }
}

function gemini(deed: Deed): Call {
  switch (deed.does) {
    case 'run':
      return { tool: 'run_shell_command', input: { command: deed.command } };
    case 'read':
      return { tool: 'read_file', input: { absolute_path: deed.path } };
    case 'write':
      return { tool: 'write_file', input: { file_path: deed.path, content: deed.content } };
    case 'edit':
      return {
        tool: 'replace',
        input: { file_path: deed.path, old_string: deed.from, new_string: deed.to },
      };
    case 'search':
      return { tool: 'search_file_content', input: { pattern: deed.pattern, path: deed.path } };
  }
}

function copilot(deed: Deed): Call {
  switch (deed.does) {
    case 'run':
      return { tool: 'bash', input: { command: deed.command } };
    case 'read':
      return { tool: 'view', input: { path: deed.path } };
    case 'write':
      return { tool: 'create', input: { path: deed.path, file_text: deed.content } };
    case 'edit':
      return { tool: 'edit', input: { path: deed.path, old_str: deed.from, new_str: deed.to } };
    case 'search':
      return { tool: 'grep', input: { pattern: deed.pattern, path: deed.path } };
  }
}

function marked(sign: string, text: string): readonly string[] {
  return text.split('\n').map((line) => `${sign}${line}`);
}
