import { OUTCOMES, type Role } from '../../record/index.ts';
import type { CommandSpec, OptionSpec } from '../command.ts';

/** Values of `--role`. */
export const ROLES: readonly Role[] = ['user', 'assistant'];

/** Every listing has it. */
export const JSON_OPTION: OptionSpec = { flags: '--json', description: 'print JSON' };

/** Narrows a command to one project. */
export const PROJECT_OPTION: OptionSpec = {
  flags: '--project <name>',
  description: 'only this project: its name, its id or "." for the folder you are in',
  completes: 'projects',
};

/** Narrows a command to what is not older. */
export const SINCE: OptionSpec = {
  flags: '--since <time>',
  description: 'not older than: 12h, 7d, yesterday, 2025-11-18',
};
/** Narrows a command to what is not newer. */
export const UNTIL: OptionSpec = {
  flags: '--until <time>',
  description: 'not newer than; a day is included',
};
const AGENT: OptionSpec = { flags: '--agent <name>', description: 'only from this agent' };
const BRANCH: OptionSpec = { flags: '--branch <name>', description: 'only from this git branch' };

/** Bounds a listing. */
export function limit(fallback: number): OptionSpec {
  return { flags: '--limit <n>', description: `at most this many (default ${fallback})` };
}

/** Commands that only look. */
export const LOOK_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'status',
    summary: 'what yore knows about this project',
    details: 'The same as yore without a command.',
    options: [JSON_OPTION],
    examples: [
      { command: 'yore', meaning: 'sessions, failures and successes of the project you are in' },
      { command: 'yore status --json', meaning: 'the same for a program' },
    ],
    load: async () => (await import('../commands/status.ts')).runStatus,
  },
  {
    name: 'search',
    summary: 'find messages and attempts in all sessions',
    details:
      'Finds every word, "phrases", prefixes, identifiers and their parts, paths, error codes and any literal piece of text.',
    arguments: [{ name: 'query', description: 'what to look for', required: true, variadic: true }],
    options: [
      { flags: '--role <role>', description: 'only messages of this role', choices: ROLES },
      PROJECT_OPTION,
      AGENT,
      BRANCH,
      { flags: '--session <id>', description: 'only this session', completes: 'sessions' },
      SINCE,
      UNTIL,
      { flags: '--outcome <outcome>', description: 'only attempts that ended so', choices: OUTCOMES },
      limit(50),
      JSON_OPTION,
    ],
    examples: [
      { command: 'yore search redis', meaning: 'everything about redis, best matches first' },
      { command: 'yore search redis --outcome failure --since 7d', meaning: 'what failed with it this week' },
      { command: 'yore search getUserById --project .', meaning: 'an identifier, in this project' },
      { command: 'yore search -- --no-verify', meaning: 'text that starts with a dash' },
    ],
    load: async () => (await import('../commands/search.ts')).runSearch,
  },
  {
    name: 'sessions',
    summary: 'list sessions, the most recent first',
    options: [PROJECT_OPTION, AGENT, BRANCH, SINCE, UNTIL, limit(50), JSON_OPTION],
    examples: [
      { command: 'yore sessions --project .', meaning: 'the sessions of this project' },
      { command: 'yore sessions --since yesterday --json', meaning: 'for a program' },
    ],
    load: async () => (await import('../commands/sessions.ts')).runSessions,
  },
  {
    name: 'show',
    summary: 'read a session: its messages, and its attempts with their outcome',
    arguments: [
      {
        name: 'session',
        description: 'id of the session, or how it begins',
        required: true,
        completes: 'sessions',
      },
    ],
    options: [JSON_OPTION],
    examples: [
      { command: 'yore show sess_1763478000000_4be1f2', meaning: 'a session by its id' },
      { command: 'yore show sess_17634780 | less -R', meaning: 'the start of an id is enough' },
    ],
    load: async () => (await import('../commands/show.ts')).runShow,
  },
  {
    name: 'prompts',
    summary: 'what you asked your agents, the frequent and recent first',
    details:
      'With --pick you choose one as you type: the list is drawn on the terminal, the chosen prompt is printed to standard output, so that a key binding of your shell can take it.',
    arguments: [{ name: 'query', description: 'only prompts that contain it', variadic: true }],
    options: [
      PROJECT_OPTION,
      limit(100),
      { flags: '--pick', description: 'choose one interactively and print it' },
      JSON_OPTION,
    ],
    examples: [
      { command: 'yore prompts cache', meaning: 'prompts that mention a cache' },
      { command: 'claude "$(yore prompts --pick)"', meaning: 'ask again what you asked before' },
    ],
    load: async () => (await import('../commands/prompts.ts')).runPrompts,
  },
];
