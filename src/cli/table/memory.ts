import type { ArgumentSpec, CommandSpec, OptionSpec } from '../command.ts';
import { JSON_OPTION, limit, SINCE, UNTIL } from './look.ts';

/** These commands are about one project: the one you are in, unless another is named. */
const PROJECT: OptionSpec = {
  flags: '--project <name>',
  description: 'another project than the one you are in: its name or its id',
  completes: 'projects',
};

const FAILURE: ArgumentSpec = {
  name: 'id',
  description: 'id of the failure, such as f-1kq03zd',
  required: true,
  completes: 'failures',
};

function days(fallback: number): OptionSpec {
  return { flags: '--days <n>', description: `at most so many days with activity (default ${fallback})` };
}

/** Commands about what a project's attempts taught. */
export const MEMORY_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'recap',
    summary: 'what have we worked on? By day and session',
    options: [PROJECT, SINCE, UNTIL, days(7), JSON_OPTION],
    examples: [
      { command: 'yore recap', meaning: 'the last seven days with activity' },
      { command: 'yore recap --since yesterday', meaning: 'yesterday and today' },
    ],
    load: async () => (await import('../commands/recap.ts')).runRecap,
  },
  {
    name: 'timeline',
    summary: 'what worked, what failed and what was committed, day by day',
    options: [PROJECT, SINCE, UNTIL, days(30), JSON_OPTION],
    examples: [
      { command: 'yore timeline', meaning: 'the last thirty days with activity' },
      { command: 'yore timeline --since 2025-11-01 --json', meaning: 'for a program' },
    ],
    load: async () => (await import('../commands/timeline.ts')).runTimeline,
  },
  {
    name: 'check',
    summary: 'would a command be warned about? Exit code 3: yes',
    details:
      'Records nothing. Several words are one command; a line with pipes or && goes into quotes, and - reads it from standard input.',
    arguments: [{ name: 'command', description: 'the command, after --', variadic: true }],
    options: [
      { flags: '--tool <name>', description: "the agent's tool (default Bash, or Read with --path)" },
      {
        flags: '--path <path>',
        description: 'the file, for tools that read or change one',
        completes: 'files',
      },
      { flags: '--agent <name>', description: 'the agent that would run it' },
      PROJECT,
      JSON_OPTION,
    ],
    examples: [
      { command: 'yore check -- npm install redis-node', meaning: 'has it failed lately?' },
      { command: "yore check 'cd api && npm test | tail -20'", meaning: 'a whole line' },
      { command: 'yore check --tool Read --path src/config.yml', meaning: 'a file tool' },
    ],
    load: async () => (await import('../commands/check.ts')).runCheck,
  },
  {
    name: 'failures',
    summary: 'what failed and may fail again, and what worked instead',
    options: [
      { flags: '--all', description: 'also those that worked again, pass by themselves or were dismissed' },
      PROJECT,
      limit(50),
      JSON_OPTION,
    ],
    examples: [
      { command: 'yore failures', meaning: 'what yore warns about in this project' },
      { command: 'yore failures --all --limit 200', meaning: 'everything it remembers' },
    ],
    load: async () => (await import('../commands/failures.ts')).runFailures,
  },
  {
    name: 'successes',
    summary: 'what worked: practices, and the steps of the last requests',
    options: [PROJECT, limit(20), JSON_OPTION],
    examples: [{ command: 'yore successes --limit 5', meaning: 'the last five requests that went well' }],
    load: async () => (await import('../commands/successes.ts')).runSuccesses,
  },
  {
    name: 'knowledge',
    summary: 'what the sessions of a project taught',
    details: 'Its stack and commands, what to avoid, what works, the order of work, recurring tasks.',
    options: [PROJECT, JSON_OPTION],
    examples: [{ command: 'yore knowledge', meaning: 'what an agent is told of this project' }],
    load: async () => (await import('../commands/knowledge.ts')).runKnowledge,
  },
  {
    name: 'why',
    summary: 'the last warnings: what was said, on what evidence, how it ended',
    options: [PROJECT, limit(10), JSON_OPTION],
    examples: [{ command: 'yore why --limit 1', meaning: 'the last one' }],
    load: async () => (await import('../commands/why.ts')).runWhy,
  },
  {
    name: 'dismiss',
    summary: 'never warn about a failure again',
    arguments: [FAILURE],
    options: [{ flags: '--undo', description: 'warn about it as before' }, PROJECT, JSON_OPTION],
    examples: [
      { command: 'yore dismiss f-1kq03zd', meaning: 'silence it for good' },
      { command: 'yore dismiss f-1kq03zd --undo', meaning: 'take that back' },
    ],
    load: async () => (await import('../commands/choose.ts')).runDismiss,
  },
  {
    name: 'pin',
    summary: 'warn about a failure past its time',
    arguments: [FAILURE],
    options: [{ flags: '--undo', description: 'let it fade like the others' }, PROJECT, JSON_OPTION],
    examples: [
      { command: 'yore pin f-1kq03zd', meaning: 'keep warning, however long ago it was' },
      { command: 'yore pin f-1kq03zd --undo', meaning: 'take that back' },
    ],
    load: async () => (await import('../commands/choose.ts')).runPin,
  },
  {
    name: 'remember',
    summary: 'note a fact or a practice by hand',
    details: 'It counts from now on, in knowledge and in what agents are told at session start.',
    arguments: [{ name: 'text', description: 'one sentence', required: true, variadic: true }],
    options: [
      { flags: '--avoid', description: 'something not to do' },
      { flags: '--tag <tag>', description: 'what it is about; may be given several times', repeatable: true },
      PROJECT,
      JSON_OPTION,
    ],
    examples: [
      { command: "yore remember 'Migrations run with make migrate'", meaning: 'how it is done here' },
      { command: "yore remember --avoid 'npm: this project uses bun'", meaning: 'what not to do' },
    ],
    load: async () => (await import('../commands/remember.ts')).runRemember,
  },
];
