import { OUTCOMES } from '../../../record/index.ts';
import type { ArgumentSpec, CommandSpec, OptionSpec } from '../../command.ts';
import {
  JSON_OPTION,
  limitOption,
  ONLY_PROJECT_OPTION,
  option,
  PROJECT_OPTION,
  ROLES,
  SINCE_OPTION,
  UNTIL_OPTION,
  YES_OPTION,
} from '../../options.ts';

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
    load: async () => (await import('./team.ts')).runTeamInit,
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
    load: async () => (await import('./team.ts')).runTeamStatus,
  },
  {
    name: 'search',
    summary: 'search what the team shares on its server, also of projects that are not on this machine',
    details: 'yore search finds what this machine has received, without the network.',
    arguments: [{ name: 'query', description: 'what to search for', required: true, variadic: true }],
    options: [
      option('--role <role>', 'only messages of this role', { choices: ROLES }),
      ONLY_PROJECT_OPTION,
      option('--agent <name>', 'only this agent'),
      option('--branch <name>', 'only this git branch'),
      SINCE_OPTION,
      UNTIL_OPTION,
      option('--outcome <outcome>', 'only attempts with this outcome', { choices: OUTCOMES }),
      limitOption(50),
      JSON_OPTION,
    ],
    examples: [{ command: 'yore team search redis timeout', meaning: 'in all projects of the team' }],
    isPaged: true,
    load: async () => (await import('./server.ts')).runTeamSearch,
  },
  {
    name: 'sessions',
    summary: "list the team's latest sessions on its server",
    options: [ONLY_PROJECT_OPTION, limitOption(20), JSON_OPTION],
    examples: [{ command: 'yore team sessions --project .', meaning: 'who works on this project' }],
    isPaged: true,
    load: async () => (await import('./server.ts')).runTeamSessions,
  },
  {
    name: 'show',
    summary: "show a session on the team's server",
    arguments: [{ name: 'session', description: 'its id, as search and sessions show it', required: true }],
    options: [JSON_OPTION],
    examples: [{ command: 'yore team show 5b7d1f0a@member-3f9a2c', meaning: 'what a colleague did' }],
    isPaged: true,
    load: async () => (await import('./server.ts')).runTeamShow,
  },
  {
    name: 'failures',
    summary: 'show what fails in a project on the machines of all members, and what worked instead',
    options: [PROJECT_OPTION, JSON_OPTION],
    examples: [{ command: 'yore team failures', meaning: 'as of the last sync of each colleague' }],
    isPaged: true,
    load: async () => (await import('./server.ts')).runTeamFailures,
  },
  {
    name: 'knowledge',
    summary: 'show what all members have learned about a project',
    options: [PROJECT_OPTION, JSON_OPTION],
    examples: [{ command: 'yore team knowledge', meaning: 'what to avoid, and best practices' }],
    isPaged: true,
    load: async () => (await import('./server.ts')).runTeamKnowledge,
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
    summary: 'share memory with a team: init, invite, join, share, status, search, leave',
    options: [JSON_OPTION],
    commands: TEAM_SUBCOMMANDS,
    examples: [
      { command: 'yore team', meaning: 'show the team and what is shared' },
      { command: 'yore team share attempts', meaning: 'share what failed and what worked in this project' },
    ],
    load: async () => (await import('./team.ts')).runTeamStatus,
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
