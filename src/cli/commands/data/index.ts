import type { CommandSpec } from '../../command.ts';
import { JSON_OPTION, ONLY_PROJECT_OPTION, option, YES_OPTION } from '../../options.ts';

/** Commands that export, back up, repair or delete data. */
export const DATA_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'export',
    summary: 'export sessions as JSON Lines, JSON, Markdown or HTML',
    details: 'HTML is one file that needs nothing else, with diffs and images.',
    options: [
      option('--session <id>', 'only this session', { completes: 'sessions' }),
      ONLY_PROJECT_OPTION,
      option('--format <format>', 'the format (default: jsonl)', {
        choices: ['jsonl', 'json', 'md', 'markdown', 'html'],
      }),
      option('-o, --output <file>', 'write to a file instead of standard output', { completes: 'files' }),
    ],
    examples: [
      { command: 'yore export > history.jsonl', meaning: 'everything, one record per line' },
      {
        command: 'yore export --session sess_17634780 --format md -o session.md',
        meaning: 'one session as a document',
      },
    ],
    load: async () => (await import('./export.ts')).runExport,
  },
  {
    name: 'backup',
    summary: 'back up all history and settings to one file',
    arguments: [
      {
        name: 'file',
        description: 'the file to write, such as yore.tar.gz',
        required: true,
        completes: 'files',
      },
    ],
    options: [JSON_OPTION],
    examples: [{ command: 'yore backup ~/yore.tar.gz', meaning: 'before an upgrade or a move' }],
    load: async () => (await import('./backup.ts')).runBackup,
  },
  {
    name: 'restore',
    summary: 'restore a backup',
    arguments: [{ name: 'file', description: 'a file written by yore backup', required: true, completes: 'files' }],
    options: [
      option('--replace', 'replace a home that is not empty, moving its contents to a folder next to it; asks first'),
      YES_OPTION,
      JSON_OPTION,
    ],
    examples: [
      { command: 'yore restore ~/yore.tar.gz', meaning: 'restore into an empty home' },
      { command: 'yore --home /tmp/look restore ~/yore.tar.gz', meaning: 'inspect a backup elsewhere' },
    ],
    load: async () => (await import('./backup.ts')).runRestore,
  },
  {
    name: 'forget',
    summary: 'permanently delete a session, failure, note or project',
    details: 'Asks first. Without a terminal to ask on, --yes is required.',
    options: [
      option('--session <id>', 'delete this session', { completes: 'sessions' }),
      option('--pattern <id>', 'delete this failure or note and the attempts it is based on', {
        completes: 'failures',
      }),
      option(
        '--project <name>',
        'delete all history of this project; with --pattern, the project to look in (name, id or ".")',
        { completes: 'projects' },
      ),
      YES_OPTION,
      JSON_OPTION,
    ],
    examples: [
      { command: 'yore forget --session sess_17634780', meaning: 'one session' },
      { command: 'yore forget --pattern f-1kq03zd', meaning: 'one failure, as listed by yore failures' },
      { command: 'yore forget --project . --yes', meaning: 'all history of this project, without asking' },
    ],
    load: async () => (await import('./forget.ts')).runForget,
  },
  {
    name: 'reindex',
    summary: 'rebuild the search index from the logs',
    details: 'Rarely needed: searching updates the index and repairs it.',
    options: [JSON_OPTION],
    examples: [{ command: 'yore reindex', meaning: 'rebuild it from scratch' }],
    load: async () => (await import('./reindex.ts')).runReindex,
  },
  {
    name: 'doctor',
    summary: 'check that everything works and suggest repairs',
    options: [JSON_OPTION],
    examples: [{ command: 'yore doctor', meaning: 'what works, what does not, how to fix it' }],
    load: async () => (await import('./doctor.ts')).runDoctor,
  },
];
