import type { CommandSpec, OptionSpec } from './command.ts';
import { CARE_COMMANDS } from './table/care.ts';
import { CHAT_COMMAND } from './table/chat.ts';
import { JSON_OPTION, LOOK_COMMANDS } from './table/look.ts';
import { MEMORY_COMMANDS } from './table/memory.ts';
import { SERVE_COMMAND } from './table/serve.ts';
import { SETUP_COMMANDS } from './table/setup.ts';

/** The headings of `yore --help` with their commands. */
export const COMMAND_GROUPS: readonly {
  readonly title: string;
  readonly commands: readonly CommandSpec[];
}[] = [
  { title: 'Talk and browse:', commands: [CHAT_COMMAND, SERVE_COMMAND] },
  { title: 'Look:', commands: LOOK_COMMANDS },
  { title: 'What was learned:', commands: MEMORY_COMMANDS },
  { title: 'Keep, repair, delete:', commands: CARE_COMMANDS },
  { title: 'Set up:', commands: SETUP_COMMANDS },
];

/** Options that every command takes, before or after its name. */
export const GLOBAL_OPTIONS: readonly OptionSpec[] = [
  {
    flags: '--home <folder>',
    description: "yore's home (default: YORE_HOME, or .yore in your home folder)",
    completes: 'files',
  },
  { flags: '--no-color', description: 'no colours' },
  { flags: '--debug', description: 'show where an error comes from' },
];

/** The whole command line. Parser, help, completion and the test of the docs are made from it. */
export const PROGRAM: CommandSpec = {
  name: 'yore',
  summary: 'memory and history of your coding agents',
  details: 'Without a command: what yore knows about the project you are in.',
  options: [JSON_OPTION, { flags: '-V, --version', description: 'print the version' }],
  commands: COMMAND_GROUPS.flatMap((group) => group.commands),
  examples: [
    { command: 'yore demo', meaning: 'see what it does' },
    { command: 'yore init', meaning: 'wire it into your agents' },
    { command: 'yore serve --open', meaning: 'browse it all' },
    { command: 'yore search redis', meaning: 'find it in all sessions' },
    { command: 'yore check -- npm install redis-node', meaning: 'would it fail again?' },
    { command: 'yore help search', meaning: 'how to search' },
  ],
  load: async () => (await import('./commands/status.ts')).runStatus,
};
