import { expect, it } from 'vitest';
import { openDatabase } from '../../src/sqlite/database.ts';
import { Connection } from '../../src/store/connection.ts';
import { storePath } from '../../src/store/store-files.ts';
import { type TestHome, testHome } from '../search/home.ts';
import { tablesOf } from './dump-store.ts';

const LONG = 9_000;
/** Words that are found, in texts of any length. */
const words = (length: number) => 'lorem ipsum dolor '.repeat(Math.ceil(length / 18)).slice(0, length);
const name = (length: number) => 'abcdefghij'.repeat(Math.ceil(length / 10)).slice(0, length);

/** Records in which everything is far longer than usual. */
function writeLongRecords({ write }: TestHome): void {
  const long = words(LONG);
  const path = `src/${name(LONG)}.ts`;
  const list = Array.from({ length: 150 }, (_, n) => `${name(40)}${n}`);
  const session = { agent: name(500), branch: name(LONG), parentSessionId: name(300), sessionId: name(200) };
  write({ ...session, role: 'user', content: long, files: [path] });
  write({ ...session, role: 'user', content: long, isFork: true });
  write({ ...session, role: 'assistant', content: `Fixed ${long}`, model: name(LONG), usage: { inputTokens: 1 } });
  write({ ...session, role: 'assistant', content: 'Changed.', filesModified: [path, ...list] });
  write({ ...session, role: 'user', kind: 'title', content: long, starred: true, tags: list });
  write({ role: 'user', kind: 'title', content: '', starred: true, tags: ['later', 'data base'] });
  const call = { ...session, context: long, tags: list, circumstances: list, cwd: path, callId: name(500) };
  const attempts = [
    { tool: 'Bash', command: `npm run ${name(LONG)}`, exitCode: 1, error: `npm error Missing script: "${name(LONG)}"` },
    {
      tool: 'Bash',
      command: `cat ${list.join(' ')}`,
      exitCode: 1,
      error: list.map((file) => `cat: ${file}: No such file or directory`).join('\n'),
    },
    { tool: 'Bash', command: long, exitCode: 127, error: `bash: ${name(LONG)}: command not found` },
    {
      tool: 'Bash',
      command: 'make',
      exitCode: 2,
      error: list
        .map((file) => `${file}.c:1: error: ${long}`)
        .join('\n')
        .slice(0, 200_000),
    },
    { tool: 'Edit', path, args: { old_string: long, new_string: long }, error: `File has not been read yet: ${path}` },
    { tool: 'Read', path, error: `ENOENT: no such file or directory, open '${path}'` },
    { tool: name(LONG), args: { deep: { query: long } }, error: long },
    { pattern: long, description: long },
    { kind: 'feedback' },
  ];
  for (const attempt of attempts) {
    write({ ...call, ...attempt, outcome: 'failure' }, 'failures');
    write(
      { ...call, ...attempt, error: undefined, result: `[${name(LONG)} 1a2b3c4] ${long}`, outcome: 'success' },
      'successes',
    );
  }
  write(
    { ...call, outcome: 'success', tool: 'Bash', command: `git commit -m "${long}"`, result: '[main 1a2b3c4] x' },
    'successes',
  );
  const warning = {
    kind: 'warning',
    key: name(LONG),
    signature: long,
    attemptId: name(500),
    confidence: 1,
    what: long,
    text: long,
  };
  write(warning, 'warnings');
  write({ kind: 'pin', key: name(LONG), failure: { what: long } }, 'warnings');
  write({ role: 'robot', content: long }, 'history');
}

/** Every row of every table, with its values by column. */
function* rowsOf(home: string): Generator<readonly [table: string, row: Readonly<Record<string, unknown>>]> {
  const connection = new Connection(openDatabase(storePath(home)));
  try {
    for (const table of tablesOf(connection))
      for (const row of connection.all<Record<string, unknown>>(`SELECT * FROM ${table}`)) yield [table, row];
  } finally {
    connection.close();
  }
}

function isJson(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return false;
  try {
    return typeof JSON.parse(value) === 'object';
  } catch {
    return false;
  }
}

it('no row of the store is longer than 4 kB, however long what was recorded is, and no column holds JSON', () => {
  const home = testHome();
  writeLongRecords(home);
  home.catchUp();
  const seen = new Set<string>();
  const tooLong = new Map<string, number>();
  const json = new Set<string>();
  for (const [table, row] of rowsOf(home.home)) {
    seen.add(table);
    const bytes = Object.values(row).reduce<number>((sum, value) => sum + Buffer.byteLength(String(value)), 0);
    if (bytes > 4096) {
      const longest = Object.entries(row).sort((a, b) => String(b[1]).length - String(a[1]).length);
      for (const [column, value] of longest.slice(0, 3))
        if (String(value).length > 500) tooLong.set(`${table}.${column}`, String(value).length);
    }
    for (const [column, value] of Object.entries(row)) if (isJson(value)) json.add(`${table}.${column}`);
  }
  expect(Object.fromEntries(tooLong)).toEqual({});
  expect([...json]).toEqual([]);
  expect([...seen]).toEqual(
    expect.arrayContaining(['call', 'failure', 'blamed', 'note', 'warning', 'request', 'reply']),
  );
});
