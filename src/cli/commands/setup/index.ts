import { AGENT_NAMES } from '../../../agents/agent-name.ts';
import { HOOKED_AGENTS } from '../../../agents/registry.ts';
import type { ArgumentSpec, CommandSpec, OptionSpec } from '../../command.ts';
import { JSON_OPTION, option, PROJECT_OPTION, YES_OPTION } from '../../options.ts';

const KEY: ArgumentSpec = {
  name: 'key',
  description: 'the setting, such as prompts.size',
  required: true,
  completes: 'settings',
};

const CONFIG_PROJECT: OptionSpec = option(
  '--project <name>',
  'the settings of one project: its name, its id, or "." for the current folder',
  { completes: 'projects' },
);

const EVERYWHERE: OptionSpec = option('--everywhere', 'in all projects');

const CONFIG_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'list',
    summary: 'list all settings with their values and origins',
    options: [CONFIG_PROJECT, JSON_OPTION],
    examples: [{ command: 'yore config list --project .', meaning: 'the settings in this project' }],
    load: async () => (await import('./config.ts')).runConfigList,
  },
  {
    name: 'get',
    summary: 'print the value of a setting',
    arguments: [KEY],
    options: [CONFIG_PROJECT, JSON_OPTION],
    examples: [{ command: 'yore config get prompts.size', meaning: 'one value' }],
    load: async () => (await import('./config.ts')).runConfigGet,
  },
  {
    name: 'set',
    summary: 'change a setting',
    arguments: [KEY, { name: 'value', description: 'the new value', required: true }],
    options: [CONFIG_PROJECT, JSON_OPTION],
    examples: [
      { command: 'yore config set prompts.size 50', meaning: 'in all projects' },
      { command: 'yore config set recording.enabled false --project .', meaning: 'in this project' },
    ],
    load: async () => (await import('./config.ts')).runConfigSet,
  },
  {
    name: 'unset',
    summary: 'reset a setting to its default',
    arguments: [KEY],
    options: [CONFIG_PROJECT, JSON_OPTION],
    examples: [{ command: 'yore config unset prompts.size', meaning: 'back to the default' }],
    load: async () => (await import('./config.ts')).runConfigUnset,
  },
  {
    name: 'path',
    summary: 'print the path of the settings file',
    options: [CONFIG_PROJECT, JSON_OPTION],
    examples: [{ command: '$EDITOR "$(yore config path)"', meaning: 'edit it by hand' }],
    load: async () => (await import('./config.ts')).runConfigPath,
  },
];

/** Commands that set up yore and its integrations. */
export const SETUP_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'init',
    summary: 'set yore up: find your agents, import their sessions, start recording',
    details:
      'Shows what it found and what it would change, then asks once. Your other settings, comments and formatting are preserved; running it again changes nothing.',
    options: [
      option('--agent <name>', 'only this agent; repeatable', { choices: AGENT_NAMES, repeatable: true }),
      option('--project', 'install into this project instead of your user settings'),
      option('--no-import', 'do not import any history'),
      option('--dry-run', 'only show what would be done'),
      option('--uninstall', 'remove hooks and MCP; the recorded history stays'),
      option('--purge', "uninstall and delete yore's home"),
      YES_OPTION,
      JSON_OPTION,
    ],
    examples: [
      { command: 'yore init', meaning: 'install everything, after asking once' },
      { command: 'yore init --dry-run', meaning: 'only show the plan' },
      { command: 'yore init --agent codex --no-import', meaning: 'one agent, without its history' },
      { command: 'yore init --uninstall', meaning: 'undo it' },
    ],
    load: async () => (await import('./init.ts')).runInit,
  },
  {
    name: 'import',
    summary: "import your agents' existing sessions",
    details: 'Reads what is new since the last import. Nothing is imported twice, and transcripts are not changed.',
    arguments: [{ name: 'agent', description: 'only this agent', choices: AGENT_NAMES }],
    options: [
      option('--file <path>', 'only this transcript; repeatable', { completes: 'files', repeatable: true }),
      option('--since <time>', 'only transcripts modified since: 12h, 7d, 2025-11-18'),
      option('--dry-run', 'read and count, but write nothing'),
      JSON_OPTION,
    ],
    examples: [
      { command: 'yore import', meaning: 'everything new from all agents' },
      { command: 'yore import codex --since 30d', meaning: 'recent transcripts of one agent' },
      { command: 'yore import --file ~/old/session.jsonl', meaning: 'a transcript in another place' },
    ],
    load: async () => (await import('./import.ts')).runImport,
  },
  {
    name: 'config',
    summary: 'read and change settings',
    options: [CONFIG_PROJECT, JSON_OPTION],
    commands: CONFIG_COMMANDS,
    examples: [
      { command: 'yore config', meaning: 'list all settings with their values and origins' },
      { command: 'yore config set prompts.size 50', meaning: 'change one' },
    ],
    load: async () => (await import('./config.ts')).runConfigList,
  },
  {
    name: 'pause',
    summary: 'pause recording in this project, or everywhere',
    options: [PROJECT_OPTION, EVERYWHERE, JSON_OPTION],
    examples: [
      { command: 'yore pause', meaning: 'record nothing in this project' },
      { command: 'yore pause --everywhere', meaning: 'record nothing at all' },
    ],
    load: async () => (await import('./pause.ts')).runPause,
  },
  {
    name: 'resume',
    summary: 'resume recording',
    options: [PROJECT_OPTION, EVERYWHERE, JSON_OPTION],
    examples: [{ command: 'yore resume', meaning: 'record in this project again' }],
    load: async () => (await import('./pause.ts')).runResume,
  },
  {
    name: 'mcp',
    summary: 'run the MCP server on standard input and output',
    details:
      'Started by agents, not by hand. Tools: search, recap, check, failures, blame, session, remember. Ends when the agent closes standard input.',
    options: [
      option('--project <folder>', "the project's folder (default: the agent's, else the current one)", {
        completes: 'files',
      }),
    ],
    examples: [
      { command: 'claude mcp add yore -- yore mcp', meaning: 'add it to Claude Code' },
      { command: 'yore mcp --project ~/my-app', meaning: 'for an agent that starts it elsewhere' },
    ],
    load: async () => (await import('./mcp.ts')).runMcp,
  },
  {
    name: 'hook',
    summary: 'handle a hook event (called by agents)',
    details:
      "Reads the event as JSON from standard input. Replies in the agent's own format, or prints nothing. Never fails: see docs/hooks.md.",
    arguments: [
      { name: 'agent', description: 'the calling agent', required: true, choices: HOOKED_AGENTS },
      { name: 'event', description: 'the event, for agents whose payloads do not name it' },
    ],
    examples: [{ command: 'yore hook claude-code < event.json', meaning: 'see the reply to an event' }],
    load: async () => {
      const { runHook } = await import('../../../hook/main.ts');
      return async ({ homeOption }, args) => await runHook(args, homeOption);
    },
  },
  {
    name: 'completion',
    summary: 'print a shell completion script',
    arguments: [{ name: 'shell', description: 'the shell', choices: ['bash', 'zsh', 'fish'] }],
    options: [
      option('--values <kind>', 'print the values for completion', {
        choices: ['sessions', 'projects', 'settings', 'failures'],
        hidden: true,
      }),
    ],
    examples: [
      { command: 'source <(yore completion bash)', meaning: 'in ~/.bashrc' },
      { command: 'source <(yore completion zsh)', meaning: 'in ~/.zshrc, after compinit' },
      { command: 'yore completion fish | source', meaning: 'in ~/.config/fish/config.fish' },
    ],
    load: async () => (await import('./completion.ts')).runCompletion,
  },
];
