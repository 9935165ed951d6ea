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
} from '../../options.ts';

const AGENT: OptionSpec = option('--agent <name>', 'only this agent');
const BRANCH: OptionSpec = option('--branch <name>', 'only this git branch');
const AUTHOR: OptionSpec = option('--author <name>', 'only what this colleague shares; me: only your own');

function daysOption(defaultDays: number): OptionSpec {
  return option('--days <n>', `show at most n days with activity (default ${defaultDays})`);
}

const SESSION: ArgumentSpec = {
  name: 'session',
  description: 'the id of the session, or its first characters',
  required: true,
  completes: 'sessions',
};

/** Commands that name and label a session. */
const SESSION_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'rename',
    summary: 'give a session another title',
    arguments: [SESSION, { name: 'title', description: 'the new title', required: true, variadic: true }],
    options: [JSON_OPTION],
    examples: [{ command: 'yore sessions rename sess_17634780 Redis caching', meaning: 'lists and the app show it' }],
    load: async () => (await import('./label.ts')).runRename,
  },
  {
    name: 'star',
    summary: 'star a session',
    arguments: [SESSION],
    options: [option('--undo', 'remove the star'), JSON_OPTION],
    examples: [{ command: 'yore sessions star sess_17634780', meaning: 'yore sessions --starred lists it' }],
    load: async () => (await import('./label.ts')).runStar,
  },
  {
    name: 'tag',
    summary: 'add tags to a session',
    arguments: [SESSION, { name: 'tags', description: 'one or more tags', required: true, variadic: true }],
    options: [option('--undo', 'remove the tags'), JSON_OPTION],
    examples: [
      { command: 'yore sessions tag sess_17634780 redis deploy', meaning: 'yore sessions --tag redis lists it' },
    ],
    load: async () => (await import('./label.ts')).runTag,
  },
];

/** Commands that show what happened. */
export const HISTORY_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'status',
    summary: 'show what yore knows about this project',
    details: 'The same as yore without a command.',
    options: [PROJECT_OPTION, JSON_OPTION],
    examples: [
      { command: 'yore', meaning: 'sessions, failures and successes of the current project' },
      { command: 'yore status --json', meaning: 'the same for a program' },
    ],
    load: async () => (await import('./status.ts')).runStatus,
  },
  {
    name: 'projects',
    summary: 'list your projects, the most recently active first',
    details: 'With sessions, successes and failures, active warnings, and the agents that worked there.',
    arguments: [{ name: 'query', description: 'only projects whose name or path contains this', variadic: true }],
    options: [JSON_OPTION],
    examples: [
      { command: 'yore projects', meaning: 'all projects' },
      { command: 'yore projects api', meaning: 'those with "api" in their name or path' },
    ],
    isPaged: true,
    load: async () => (await import('./projects.ts')).runProjects,
  },
  {
    name: 'search',
    summary: 'search everything that was said and done, in all sessions',
    details:
      'Finds words, "phrases", prefixes, identifiers and their parts, paths, error codes and any literal text. A question in your own words finds the sessions that are most likely about it.',
    arguments: [{ name: 'query', description: 'what to search for', required: true, variadic: true }],
    options: [
      option('--role <role>', 'only messages of this role', { choices: ROLES }),
      ONLY_PROJECT_OPTION,
      AGENT,
      BRANCH,
      AUTHOR,
      option('--session <id>', 'only this session', { completes: 'sessions' }),
      SINCE_OPTION,
      UNTIL_OPTION,
      option('--outcome <outcome>', 'only attempts with this outcome', { choices: OUTCOMES }),
      limitOption(50),
      JSON_OPTION,
    ],
    examples: [
      { command: 'yore search redis', meaning: 'everything about redis, best matches first' },
      { command: 'yore search redis --outcome failure --since 7d', meaning: 'failures of the last week' },
      { command: 'yore search how did we fix the redis timeout', meaning: 'a question in your own words' },
      { command: 'yore search getUserById --project .', meaning: 'an identifier, in this project' },
      { command: 'yore search -- --no-verify', meaning: 'text that starts with a dash' },
    ],
    isPaged: true,
    load: async () => (await import('./search.ts')).runSearch,
  },
  {
    name: 'sessions',
    summary: 'list sessions, most recent first',
    options: [
      ONLY_PROJECT_OPTION,
      AGENT,
      BRANCH,
      AUTHOR,
      option('--starred', 'only sessions that you starred'),
      option('--tag <name>', 'only sessions that you gave this tag'),
      SINCE_OPTION,
      UNTIL_OPTION,
      limitOption(50),
      JSON_OPTION,
    ],
    examples: [
      { command: 'yore sessions --project .', meaning: 'the sessions of this project' },
      { command: 'yore sessions --since yesterday --json', meaning: 'for a program' },
    ],
    isPaged: true,
    commands: SESSION_COMMANDS,
    load: async () => (await import('./sessions.ts')).runSessions,
  },
  {
    name: 'show',
    summary: 'show a session: messages, tool calls and how they ended',
    arguments: [
      {
        name: 'session',
        description: 'the id of the session, or its first characters',
        required: true,
        completes: 'sessions',
      },
    ],
    options: [JSON_OPTION],
    examples: [
      { command: 'yore show sess_1763478000000_4be1f2', meaning: 'a session by its id' },
      { command: 'yore show sess_1763478', meaning: 'the start of the id is enough' },
    ],
    isPaged: true,
    load: async () => (await import('./show.ts')).runShow,
  },
  {
    name: 'prompts',
    summary: 'list your prompts, the most frequent and recent first',
    details:
      'With --pick you choose one as you type. The list is drawn on the terminal and only the chosen prompt is printed, so that you can bind it to a key in your shell.',
    arguments: [{ name: 'query', description: 'only prompts that contain this', variadic: true }],
    options: [
      ONLY_PROJECT_OPTION,
      option('--limit <n>', 'show at most n (default and maximum: the setting prompts.size)'),
      option('--pick', 'choose one interactively and print it'),
      JSON_OPTION,
    ],
    examples: [
      { command: 'yore prompts cache', meaning: 'prompts that mention "cache"' },
      { command: 'claude "$(yore prompts --pick)"', meaning: 'reuse an earlier prompt' },
    ],
    isPaged: true,
    load: async () => (await import('./prompts.ts')).runPrompts,
  },
  {
    name: 'recap',
    summary: 'recap what was done, by day and session',
    details: 'Fits on the screen; --all adds every request, commit, failure and file.',
    options: [
      PROJECT_OPTION,
      SINCE_OPTION,
      UNTIL_OPTION,
      daysOption(7),
      option('--all', 'show all sessions, with their requests, commits, failures and files'),
      JSON_OPTION,
    ],
    examples: [
      { command: 'yore recap', meaning: 'the last seven days with activity' },
      { command: 'yore recap --all', meaning: 'with every request, commit and failure' },
      { command: 'yore recap --since yesterday', meaning: 'yesterday and today' },
    ],
    isPaged: true,
    load: async () => (await import('./recap.ts')).runRecap,
  },
  {
    name: 'timeline',
    summary: 'chart successes, failures and commits by day',
    options: [PROJECT_OPTION, SINCE_OPTION, UNTIL_OPTION, daysOption(30), JSON_OPTION],
    examples: [
      { command: 'yore timeline', meaning: 'the last 30 days with activity' },
      { command: 'yore timeline --since 2025-11-01 --json', meaning: 'for a program' },
    ],
    isPaged: true,
    load: async () => (await import('./timeline.ts')).runTimeline,
  },
  {
    name: 'usage',
    summary: 'add up tokens, estimated cost and active time',
    details:
      'Costs are estimates: list prices, or your own in the setting usage.prices, times the tokens that agents report. Models without a known price show tokens and no cost. Active time is the time between records, without pauses of more than ten minutes.',
    options: [
      option('--by <group>', 'a row for each (default day)', {
        choices: ['day', 'model', 'agent', 'project', 'session'],
      }),
      ONLY_PROJECT_OPTION,
      SINCE_OPTION,
      UNTIL_OPTION,
      option('--limit <n>', 'with --by session, show at most n (default 10)'),
      JSON_OPTION,
    ],
    examples: [
      { command: 'yore usage --since 30d', meaning: 'the last 30 days, by day' },
      { command: 'yore usage --by session --project .', meaning: 'the most expensive sessions of this project' },
      { command: 'yore usage --by model --json', meaning: 'for a program' },
    ],
    isPaged: true,
    load: async () => (await import('./usage.ts')).runUsage,
  },
  {
    name: 'blame',
    summary: 'show which session and request wrote the lines of a file',
    details:
      'Combines git blame with what is recorded: a line is from the last recorded change that added it, else from the session that made its commit. Works without git, too. Nothing that the repository configures is run.',
    arguments: [
      { name: 'file', description: 'a file, with :LINE or :FIRST-LAST for some of its lines', completes: 'files' },
    ],
    options: [option('--commit <hash>', 'show the session that made a commit instead'), PROJECT_OPTION, JSON_OPTION],
    examples: [
      { command: 'yore blame src/server.ts:12', meaning: 'why is this line so?' },
      { command: 'yore blame src/server.ts', meaning: 'the whole file, in groups of one origin' },
      { command: 'yore blame --commit 1a2b3c4', meaning: 'from a commit to its session' },
    ],
    isPaged: true,
    load: async () => (await import('./blame.ts')).runBlame,
  },
];
