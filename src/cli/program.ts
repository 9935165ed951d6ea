import type { CommandSpec, OptionSpec } from './command.ts';
import { APP_COMMANDS } from './commands/app/index.ts';
import { DATA_COMMANDS } from './commands/data/index.ts';
import { HISTORY_COMMANDS } from './commands/history/index.ts';
import { MEMORY_COMMANDS } from './commands/memory/index.ts';
import { SETUP_COMMANDS } from './commands/setup/index.ts';
import { TEAM_COMMANDS } from './commands/team/index.ts';
import { JSON_OPTION, option, PROJECT_OPTION } from './options.ts';

/** The headings of `yore --help` with their commands. */
export const COMMAND_GROUPS: readonly {
  readonly title: string;
  readonly commands: readonly CommandSpec[];
}[] = [
  { title: 'Chat, web app, demo:', commands: APP_COMMANDS },
  { title: 'History:', commands: HISTORY_COMMANDS },
  { title: 'Memory:', commands: MEMORY_COMMANDS },
  { title: 'Data:', commands: DATA_COMMANDS },
  { title: 'Team:', commands: TEAM_COMMANDS },
  { title: 'Setup:', commands: SETUP_COMMANDS },
];

/** Options of every command, accepted before or after its name. */
export const GLOBAL_OPTIONS: readonly OptionSpec[] = [
  option('--home <folder>', "yore's data folder (default: $YORE_HOME, else ~/.yore)", { completes: 'files' }),
  option('--no-color', 'turn off colours'),
  option('--no-pager', 'print long output at once instead of showing it in $YORE_PAGER, $PAGER or less'),
  option('--debug', 'print a stack trace with errors'),
];

/** The whole command line. The parser, help, completion and the test of the docs are driven by it. */
export const PROGRAM: CommandSpec = {
  name: 'yore',
  summary: 'memory and history for your coding agents',
  details: 'Without a command, yore shows what it knows about the project you are in.',
  options: [PROJECT_OPTION, JSON_OPTION, option('-V, --version', 'print the version')],
  commands: COMMAND_GROUPS.flatMap((group) => group.commands),
  examples: [
    { command: 'yore demo', meaning: 'see what yore does' },
    { command: 'yore init', meaning: 'set it up for your agents' },
    { command: 'yore serve --open', meaning: 'browse everything in the web app' },
    { command: 'yore search redis', meaning: 'search all sessions' },
    { command: 'yore check -- npm install redis-node', meaning: 'has this failed before?' },
    { command: 'yore help search', meaning: 'get help on a command' },
  ],
  load: async () => (await import('./commands/history/status.ts')).runStatus,
};
