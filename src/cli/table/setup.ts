import { AGENT_NAMES } from '../../agents/agent-name.ts';
import { HOOKED_AGENTS } from '../../hook/hooked-agents.ts';
import type { ArgumentSpec, CommandSpec, OptionSpec } from '../command.ts';
import { JSON_OPTION } from './look.ts';

const KEY: ArgumentSpec = {
  name: 'key',
  description: 'such as prompts.size',
  required: true,
  completes: 'settings',
};

const CONFIG_PROJECT: OptionSpec = {
  flags: '--project <name>',
  description: 'this project\'s settings: its name, its id or "."',
  completes: 'projects',
};

const EVERYWHERE: OptionSpec = { flags: '--everywhere', description: 'for all projects' };

const CONFIG_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'list',
    summary: 'every setting, its value and where it comes from',
    options: [CONFIG_PROJECT, JSON_OPTION],
    examples: [{ command: 'yore config list --project .', meaning: 'as they count in this project' }],
    load: async () => (await import('../commands/config.ts')).runConfigList,
  },
  {
    name: 'get',
    summary: 'the value of one setting',
    arguments: [KEY],
    options: [CONFIG_PROJECT, JSON_OPTION],
    examples: [{ command: 'yore config get prompts.size', meaning: 'print it' }],
    load: async () => (await import('../commands/config.ts')).runConfigGet,
  },
  {
    name: 'set',
    summary: 'change a setting',
    arguments: [KEY, { name: 'value', description: 'its new value', required: true }],
    options: [CONFIG_PROJECT, JSON_OPTION],
    examples: [
      { command: 'yore config set prompts.size 50', meaning: 'for all projects' },
      { command: 'yore config set recording.enabled false --project .', meaning: 'for this one' },
    ],
    load: async () => (await import('../commands/config.ts')).runConfigSet,
  },
  {
    name: 'unset',
    summary: 'go back to the default',
    arguments: [KEY],
    options: [CONFIG_PROJECT, JSON_OPTION],
    examples: [{ command: 'yore config unset prompts.size', meaning: 'forget the change' }],
    load: async () => (await import('../commands/config.ts')).runConfigUnset,
  },
  {
    name: 'path',
    summary: 'the file the settings are in',
    options: [CONFIG_PROJECT, JSON_OPTION],
    examples: [{ command: '$EDITOR "$(yore config path)"', meaning: 'edit it by hand' }],
    load: async () => (await import('../commands/config.ts')).runConfigPath,
  },
];

/** Commands that wire yore in and decide how it behaves, and the demo. */
export const SETUP_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'init',
    summary: 'find your agents, import their history, wire hooks and MCP',
    details:
      'Shows what it found and what it would change, and asks once. Other settings, comments and formatting stay as they are; running it again changes nothing.',
    options: [
      {
        flags: '--agent <name>',
        description: 'only this agent; may be given several times',
        choices: AGENT_NAMES,
        repeatable: true,
      },
      { flags: '--project', description: 'wire the files of this project instead of your own settings' },
      { flags: '--no-import', description: 'wire only, import nothing' },
      { flags: '--dry-run', description: 'only show what would be done' },
      { flags: '--uninstall', description: 'take hooks and MCP out again; what yore knows stays' },
      { flags: '--purge', description: "the same, and delete yore's home" },
      { flags: '-y, --yes', description: 'do not ask' },
      JSON_OPTION,
    ],
    examples: [
      { command: 'yore init', meaning: 'everything, after one question' },
      { command: 'yore init --dry-run', meaning: 'only look' },
      { command: 'yore init --agent codex --no-import', meaning: 'wire one agent' },
      { command: 'yore init --uninstall', meaning: 'take it all back' },
    ],
    load: async () => (await import('../commands/init.ts')).runInit,
  },
  {
    name: 'import',
    summary: 'take in what your agents have on this machine: sessions, calls, outcomes',
    details:
      'Reads only what is new since the last import. Nothing is taken in twice, and the transcripts stay as they are.',
    arguments: [{ name: 'agent', description: 'only this agent', choices: AGENT_NAMES }],
    options: [
      {
        flags: '--file <path>',
        description: 'only this transcript; may be given several times',
        completes: 'files',
        repeatable: true,
      },
      { flags: '--since <time>', description: 'only transcripts written to since: 12h, 7d, 2025-11-18' },
      { flags: '--dry-run', description: 'only count what there is' },
      JSON_OPTION,
    ],
    examples: [
      { command: 'yore import', meaning: 'what all agents have that is new' },
      { command: 'yore import codex --since 30d', meaning: 'from one agent, what was touched lately' },
      { command: 'yore import --file ~/old/session.jsonl', meaning: 'a transcript from somewhere else' },
    ],
    load: async () => (await import('../commands/import.ts')).runImport,
  },
  {
    name: 'config',
    summary: 'read and change the settings',
    options: [CONFIG_PROJECT, JSON_OPTION],
    commands: CONFIG_COMMANDS,
    examples: [
      { command: 'yore config', meaning: 'every setting, its value and where it comes from' },
      { command: 'yore config set prompts.size 50', meaning: 'change one' },
    ],
    load: async () => (await import('../commands/config.ts')).runConfigList,
  },
  {
    name: 'pause',
    summary: 'stop recording, in this project or everywhere',
    options: [EVERYWHERE, JSON_OPTION],
    examples: [
      { command: 'yore pause', meaning: 'nothing more is recorded in this project' },
      { command: 'yore pause --everywhere', meaning: 'nor in any other' },
    ],
    load: async () => (await import('../commands/pause.ts')).runPause,
  },
  {
    name: 'resume',
    summary: 'go on recording',
    options: [EVERYWHERE, JSON_OPTION],
    examples: [{ command: 'yore resume', meaning: 'record in this project again' }],
    load: async () => (await import('../commands/pause.ts')).runResume,
  },
  {
    name: 'mcp',
    summary: 'serve history and memory to an agent: MCP on standard input and output',
    details:
      'Started by agents, not by hand. Tools: search, recap, check, session, remember. Ends when the agent closes standard input.',
    options: [
      {
        flags: '--project <folder>',
        description: "the project's folder (default: what the agent says, else the folder you are in)",
        completes: 'files',
      },
    ],
    examples: [
      { command: 'claude mcp add yore -- yore mcp', meaning: 'add it to Claude Code' },
      { command: 'yore mcp --project ~/my-app', meaning: 'for an agent that starts it somewhere else' },
    ],
    load: async () => (await import('../commands/mcp.ts')).runMcp,
  },
  {
    name: 'hook',
    summary: 'called by agents while they work, with the event as JSON on standard input',
    details: 'Answers in the words of the agent, or says nothing. Never fails: see docs/hooks.md.',
    arguments: [
      { name: 'agent', description: 'which agent calls', required: true, choices: HOOKED_AGENTS },
      { name: 'event', description: 'the event, for agents whose payloads do not name it' },
    ],
    examples: [{ command: 'yore hook claude-code < event.json', meaning: 'see what is said' }],
    load: async () => (await import('../commands/hook.ts')).runHookCommand,
  },
  {
    name: 'completion',
    summary: 'print the completion script of a shell',
    arguments: [{ name: 'shell', description: 'which shell', choices: ['bash', 'zsh', 'fish'] }],
    options: [
      {
        flags: '--values <kind>',
        description: 'print what can be completed here',
        choices: ['sessions', 'projects', 'settings', 'failures'],
        hidden: true,
      },
    ],
    examples: [
      { command: 'source <(yore completion bash)', meaning: 'in ~/.bashrc' },
      { command: 'source <(yore completion zsh)', meaning: 'in ~/.zshrc, after compinit' },
      { command: 'yore completion fish | source', meaning: 'in ~/.config/fish/config.fish' },
    ],
    load: async () => (await import('../commands/completion.ts')).runCompletion,
  },
  {
    name: 'demo',
    summary: 'see in ten seconds what yore does, in a throw-away home',
    options: [
      { flags: '--keep', description: 'keep the home to look around in it' },
      { flags: '--fast', description: 'no pauses' },
    ],
    examples: [
      { command: 'yore demo', meaning: 'the story of a package that does not exist' },
      { command: 'yore demo --keep', meaning: 'and try the commands on it yourself' },
    ],
    load: async () => (await import('../commands/demo.ts')).runDemo,
  },
];
