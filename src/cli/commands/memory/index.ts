import { FAILURE_ORDERS } from '../../../ask/past-failures.ts';
import type { ArgumentSpec, CommandSpec } from '../../command.ts';
import { JSON_OPTION, limitOption, option, PROJECT_OPTION } from '../../options.ts';

const FAILURE: ArgumentSpec = {
  name: 'id',
  description: 'the id of the failure, such as f-1kq03zd',
  required: true,
  completes: 'failures',
};

const DECISION: ArgumentSpec = {
  name: 'id',
  description: 'the id of the decision or correction, such as d-1x9k2a0',
  required: true,
  completes: 'decisions',
};

/** Commands by which the user has the last word about a decision or correction. */
const DECISION_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'edit',
    summary: 'put a decision into other words',
    arguments: [
      DECISION,
      { name: 'text', description: 'what agents are told instead', required: true, variadic: true },
    ],
    options: [PROJECT_OPTION, JSON_OPTION],
    examples: [
      { command: "yore decisions edit d-1x9k2a0 'The relay listens on 9000'", meaning: 'its quote stays as it is' },
    ],
    load: async () => (await import('./decisions.ts')).createDecisionCommand('edit'),
  },
  {
    name: 'dismiss',
    summary: 'never tell agents of a decision again',
    arguments: [DECISION],
    options: [PROJECT_OPTION, JSON_OPTION],
    examples: [{ command: 'yore decisions dismiss d-1x9k2a0', meaning: 'yore decisions --all still lists it' }],
    load: async () => (await import('./decisions.ts')).createDecisionCommand('dismiss'),
  },
  {
    name: 'pin',
    summary: 'tell agents of a decision before others, and let no later one replace it',
    arguments: [DECISION],
    options: [PROJECT_OPTION, JSON_OPTION],
    examples: [{ command: 'yore decisions pin d-1x9k2a0', meaning: 'the first of every list and briefing' }],
    load: async () => (await import('./decisions.ts')).createDecisionCommand('pin'),
  },
  {
    name: 'undo',
    summary: 'take back the last edit, dismissal or pin of a decision',
    arguments: [DECISION],
    options: [PROJECT_OPTION, JSON_OPTION],
    examples: [{ command: 'yore decisions undo d-1x9k2a0', meaning: 'each time the latest of them' }],
    load: async () => (await import('./decisions.ts')).createDecisionCommand('undo'),
  },
];

/** Commands about what yore learned from a project's history. */
export const MEMORY_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'decisions',
    summary: 'list what was decided, and what agents were told to do otherwise',
    details:
      'With words: those that have all of them. Each has the words that it rests on and the session they are from.',
    arguments: [{ name: 'words', description: 'what it is about', variadic: true }],
    options: [
      option('--kind <kind>', 'only these', { choices: ['decision', 'correction'] }),
      option('--days <n>', 'only those of the last n days'),
      option('--all', 'also those that were replaced, dismissed or meant for one request'),
      PROJECT_OPTION,
      limitOption(50),
      JSON_OPTION,
    ],
    examples: [
      { command: 'yore decisions', meaning: 'what holds in this project' },
      { command: 'yore decisions port relay', meaning: 'what was decided about the port of the relay?' },
      { command: 'yore decisions --kind correction --days 30', meaning: 'what you told agents to do otherwise' },
    ],
    isPaged: true,
    commands: DECISION_COMMANDS,
    load: async () => (await import('./decisions.ts')).runDecisions,
  },
  {
    name: 'check',
    summary: 'check whether a command is likely to fail again',
    details:
      'The exit code is 3 if it is. Records nothing. Several words form one command; quote a line with pipes or &&, or pass - to read it from standard input.',
    arguments: [{ name: 'command', description: 'the command, after --', variadic: true }],
    options: [
      option('--tool <name>', "the agent's tool (default: Bash, or Read with --path)"),
      option('--path <path>', 'the file, for tools that read or change one', { completes: 'files' }),
      option('--agent <name>', 'the agent that would run it'),
      PROJECT_OPTION,
      JSON_OPTION,
    ],
    examples: [
      { command: 'yore check -- npm install redis-node', meaning: 'has this failed before?' },
      { command: "yore check 'cd api && npm test | tail -20'", meaning: 'a whole command line' },
      { command: 'yore check --tool Read --path src/config.yml', meaning: 'a file tool' },
    ],
    load: async () => (await import('./check.ts')).runCheck,
  },
  {
    name: 'failures',
    summary: 'list active warnings and past failures, with what worked instead',
    options: [
      option('--sort <order>', 'past failures by number or by date (default frequent)', { choices: FAILURE_ORDERS }),
      option('--all', 'list failures that are solved, transient or dismissed with the active warnings'),
      PROJECT_OPTION,
      limitOption(50),
      JSON_OPTION,
    ],
    examples: [
      { command: 'yore failures', meaning: 'what yore warns about, and what keeps failing' },
      { command: 'yore failures --sort recent --limit 10', meaning: 'the latest failures' },
    ],
    isPaged: true,
    load: async () => (await import('./failures.ts')).runFailures,
  },
  {
    name: 'successes',
    summary: 'list best practices and recent requests that worked',
    options: [PROJECT_OPTION, limitOption(20), JSON_OPTION],
    examples: [{ command: 'yore successes --limit 5', meaning: 'the last five successful requests' }],
    isPaged: true,
    load: async () => (await import('./successes.ts')).runSuccesses,
  },
  {
    name: 'knowledge',
    summary: 'show what yore learned about the project',
    details: 'Tech stack and commands, what to avoid, best practices, usual workflow, recurring tasks.',
    options: [PROJECT_OPTION, JSON_OPTION],
    examples: [{ command: 'yore knowledge', meaning: 'what agents are told about this project' }],
    isPaged: true,
    load: async () => (await import('./knowledge.ts')).runKnowledge,
  },
  {
    name: 'why',
    summary: 'explain the latest warnings: text, evidence, outcome',
    options: [PROJECT_OPTION, limitOption(10), JSON_OPTION],
    examples: [{ command: 'yore why --limit 1', meaning: 'the latest warning' }],
    isPaged: true,
    load: async () => (await import('./why.ts')).runWhy,
  },
  {
    name: 'dismiss',
    summary: 'stop warning about a failure',
    arguments: [FAILURE],
    options: [option('--undo', 'warn about it again'), PROJECT_OPTION, JSON_OPTION],
    examples: [
      { command: 'yore dismiss f-1kq03zd', meaning: 'never warn about this failure' },
      { command: 'yore dismiss f-1kq03zd --undo', meaning: 'take that back' },
    ],
    load: async () => (await import('./choose.ts')).runDismiss,
  },
  {
    name: 'pin',
    summary: 'keep warning about a failure, however old it is',
    arguments: [FAILURE],
    options: [option('--undo', 'let it expire like other failures'), PROJECT_OPTION, JSON_OPTION],
    examples: [
      { command: 'yore pin f-1kq03zd', meaning: 'keep warning about this failure, however old it is' },
      { command: 'yore pin f-1kq03zd --undo', meaning: 'take that back' },
    ],
    load: async () => (await import('./choose.ts')).runPin,
  },
  {
    name: 'remember',
    summary: 'note a fact, a practice or something to avoid',
    details: 'The note becomes part of the knowledge that agents receive at session start.',
    arguments: [{ name: 'text', description: 'one sentence', required: true, variadic: true }],
    options: [
      option('--avoid', 'something not to do'),
      option('--tag <tag>', 'what it is about; repeatable', { repeatable: true }),
      PROJECT_OPTION,
      JSON_OPTION,
    ],
    examples: [
      { command: "yore remember 'Migrations run with make migrate'", meaning: 'a fact' },
      { command: "yore remember --avoid 'npm: this project uses bun'", meaning: 'something to avoid' },
    ],
    load: async () => (await import('./remember.ts')).runRemember,
  },
];
