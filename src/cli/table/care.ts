import type { CommandSpec, OptionSpec } from '../command.ts';
import { JSON_OPTION, PROJECT_OPTION } from './look.ts';

const YES: OptionSpec = { flags: '-y, --yes', description: 'do not ask' };

/** Commands that take history out, put it back, repair or delete it. */
export const CARE_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'export',
    summary: 'write sessions as JSON Lines, JSON or Markdown',
    options: [
      { flags: '--session <id>', description: 'only this session', completes: 'sessions' },
      PROJECT_OPTION,
      {
        flags: '--format <format>',
        description: 'how to write it (default jsonl)',
        choices: ['jsonl', 'json', 'markdown'],
      },
      {
        flags: '-o, --output <file>',
        description: 'write to a file instead of standard output',
        completes: 'files',
      },
    ],
    examples: [
      { command: 'yore export > history.jsonl', meaning: 'everything, one record per line' },
      { command: 'yore export --session sess_17634780 --format markdown -o session.md', meaning: 'to read' },
    ],
    load: async () => (await import('../commands/export.ts')).runExport,
  },
  {
    name: 'backup',
    summary: "copy all of yore's history and settings into one file",
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
    load: async () => (await import('../commands/backup.ts')).runBackup,
  },
  {
    name: 'restore',
    summary: 'bring back what a backup holds',
    arguments: [
      { name: 'file', description: 'a file that backup wrote', required: true, completes: 'files' },
    ],
    options: [
      {
        flags: '--replace',
        description: 'put it in the place of a home that is not empty, which is kept aside; asks first',
      },
      YES,
      JSON_OPTION,
    ],
    examples: [
      { command: 'yore restore ~/yore.tar.gz', meaning: 'into a home that is empty' },
      { command: 'yore --home /tmp/look restore ~/yore.tar.gz', meaning: 'into a fresh home, to look' },
    ],
    load: async () => (await import('../commands/restore.ts')).runRestore,
  },
  {
    name: 'forget',
    summary: 'delete a session, a pattern or all history of a project for good',
    details: 'Asks first. Where there is no terminal to ask on, --yes is needed.',
    options: [
      { flags: '--session <id>', description: 'the session to delete', completes: 'sessions' },
      {
        flags: '--pattern <id>',
        description: 'the failure or note to delete, with the attempts behind it',
        completes: 'failures',
      },
      {
        flags: '--project <name>',
        description: 'the project to delete, or with --pattern where that is: its name, its id or "."',
        completes: 'projects',
      },
      YES,
      JSON_OPTION,
    ],
    examples: [
      { command: 'yore forget --session sess_17634780', meaning: 'one session' },
      { command: 'yore forget --pattern f-1kq03zd', meaning: 'one failure, as yore failures lists it' },
      {
        command: 'yore forget --project . --yes',
        meaning: 'all history of this project, without a question',
      },
    ],
    load: async () => (await import('../commands/forget.ts')).runForget,
  },
  {
    name: 'reindex',
    summary: 'rebuild the search index from the logs',
    details: 'Never needed in daily life: searching keeps the index up to date and repairs it.',
    options: [JSON_OPTION],
    examples: [{ command: 'yore reindex', meaning: 'start the index anew' }],
    load: async () => (await import('../commands/reindex.ts')).runReindex,
  },
  {
    name: 'doctor',
    summary: 'check that everything works, and say how to repair what does not',
    options: [JSON_OPTION],
    examples: [{ command: 'yore doctor', meaning: 'what works, what is broken, what to run' }],
    load: async () => (await import('../commands/doctor.ts')).runDoctor,
  },
];
