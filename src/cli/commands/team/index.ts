import type { ArgumentSpec, CommandSpec, OptionSpec } from '../../command.ts';
import { JSON_OPTION, ONLY_PROJECT_OPTION, option, PROJECT_OPTION, YES_OPTION } from '../../options.ts';

const ADMIN_URL: ArgumentSpec = {
  name: 'url',
  description: "the connection string of the database's owner; default: YORE_TEAM_ADMIN_URL; - reads standard input",
};
const MEMBER_URL: ArgumentSpec = {
  name: 'url',
  description: 'the connection string of your invitation; default: YORE_TEAM_URL; - reads standard input',
};
const TEAM: OptionSpec = option('--team <name>', 'the team, if the server has several');

/** The commands of `yore team`. */
const TEAM_SUBCOMMANDS: readonly CommandSpec[] = [
  {
    name: 'init',
    summary: 'create a team on a PostgreSQL server, or upgrade its tables',
    details: "Needs the login of the database's owner, which is not stored. You become the first member.",
    arguments: [ADMIN_URL],
    options: [option('--team <name>', 'the name of the team (default: team)'), JSON_OPTION],
    examples: [
      {
        command: 'yore team init postgres://owner:secret@db.example.org/yore',
        meaning: 'create the tables and a team',
      },
    ],
    load: async () => (await import('./team.ts')).runInit,
  },
  {
    name: 'invite',
    summary: 'create a login for a new member and print the command to join',
    arguments: [ADMIN_URL],
    options: [TEAM, JSON_OPTION],
    examples: [{ command: 'yore team invite postgres://owner:secret@db.example.org/yore', meaning: 'one invitation' }],
    load: async () => (await import('./team.ts')).runInvite,
  },
  {
    name: 'join',
    summary: 'join a team with an invitation',
    details: 'Nothing is shared until you choose so for a project: yore team share.',
    arguments: [MEMBER_URL],
    options: [
      option('--name <name>', 'show this name to the team instead of a pseudonym; "" takes it back'),
      JSON_OPTION,
    ],
    examples: [{ command: 'yore team join postgres://yore_member_1:secret@db.example.org/yore', meaning: 'join' }],
    load: async () => (await import('./team.ts')).runJoin,
  },
  {
    name: 'share',
    summary: 'choose what of a project is shared',
    details: 'Applies to what is recorded already as well, from the next sync on.',
    arguments: [
      {
        name: 'what',
        description: 'nothing, attempts (calls and how they ended), or messages (those too)',
        required: true,
        choices: ['nothing', 'attempts', 'messages'],
      },
    ],
    options: [
      PROJECT_OPTION,
      option('--as <name>', 'the name of the project in the team, for a folder without a repository'),
      JSON_OPTION,
    ],
    examples: [
      { command: 'yore team share attempts', meaning: 'what failed and what worked in this project' },
      { command: 'yore team share nothing', meaning: 'stop sharing; what was shared stays' },
    ],
    load: async () => (await import('./team.ts')).runShare,
  },
  {
    name: 'status',
    summary: 'show the team, its members, the server and what is shared',
    options: [JSON_OPTION],
    examples: [{ command: 'yore team status', meaning: 'who, where, and which projects' }],
    load: async () => (await import('./team.ts')).runStatus,
  },
  {
    name: 'remove',
    summary: 'take access from a member; their records stay',
    arguments: [{ name: 'member', description: 'the pseudonym or name', required: true }, ADMIN_URL],
    options: [TEAM, JSON_OPTION],
    examples: [{ command: 'yore team remove member-3f9a2c -', meaning: 'with the connection string typed or piped' }],
    load: async () => (await import('./team.ts')).runRemove,
  },
  {
    name: 'leave',
    summary: 'leave the team and delete the copies of what others shared',
    details: 'What you have shared stays on the server, unless you use --forget. Your own history stays here.',
    options: [
      option('--forget', 'first delete all that you have shared, also from the machines of others'),
      YES_OPTION,
      JSON_OPTION,
    ],
    examples: [{ command: 'yore team leave --forget', meaning: 'leave nothing behind' }],
    load: async () => (await import('./team.ts')).runLeave,
  },
];

/** Commands that share a project's memory with a team. */
export const TEAM_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'team',
    summary: 'share memory with a team: init, invite, join, share, status, leave',
    options: [JSON_OPTION],
    commands: TEAM_SUBCOMMANDS,
    examples: [
      { command: 'yore team', meaning: 'show the team and what is shared' },
      { command: 'yore team share attempts', meaning: 'share what failed and what worked in this project' },
    ],
    load: async () => (await import('./team.ts')).runStatus,
  },
  {
    name: 'sync',
    summary: "exchange shared records with the team's server",
    details: 'Can be interrupted and repeated at any time. yore serve does the same in the background.',
    options: [ONLY_PROJECT_OPTION, JSON_OPTION],
    examples: [{ command: 'yore sync', meaning: 'send what is new and receive what others sent' }],
    load: async () => (await import('./sync.ts')).runSync,
  },
];
