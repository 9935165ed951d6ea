import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hookLogPath } from '../../src/hook/hook-log.ts';
import { writeShim } from '../../src/hook/shim.ts';
import { openHome } from '../../src/project/index.ts';
import { redact } from '../../src/redact/index.ts';
import { temporaryFolder } from '../temp-folder.ts';
import { callHook, HOOK, installShim } from './hook-process.ts';

const TOKEN = ['ghp_', 'Zk9qX2vB7nLw4TpR8sYd3FhJ6mQc1aEg5uKo'].join('');
const PROMPTS = [
  'Rework the invoice export and add tests',
  `Use ${TOKEN} for the release`,
  'The password is hunter2, log in with it',
  'connect to postgres://shop:S3cr3t!pw@db.example/orders and count the orders',
  'Run `curl -u bob:Tr0ub4dor3 https://shop.example/api` again',
  'Das Passwort ist geheim, contraseña: Zk9qX2vB7nLw',
  'bob:Zk9qX2vB7nLw4@tcp(db:3306)/shop is where the orders are',
  '$ openssl rand -hex 8\n9f86d081884c7d65\nwhy is this too short?',
  'Read /home/bob/shop/notes.md and the pattern of its path',
];

interface Place {
  readonly home: string;
  readonly cwd: string;
}

function createPlace(): Place {
  const folder = temporaryFolder();
  const place = { home: join(folder, '.yore'), cwd: join(folder, 'shop') };
  mkdirSync(place.cwd);
  installShim(place.home);
  return place;
}

function ask({ home, cwd }: Place, prompt: string): void {
  const event = {
    session_id: 'one',
    cwd,
    transcript_path: join(cwd, 'none.jsonl'),
    hook_event_name: 'UserPromptSubmit',
  };
  expect(callHook(home, ['claude-code'], JSON.stringify({ ...event, prompt }))).toMatchObject({ code: 0 });
}

function recorded({ home, cwd }: Place): readonly string[] {
  const { records } = openHome({ home }).openProject(cwd).session('one');
  return records.flatMap((record) => ('content' in record ? [record.content] : []));
}

/** Makes the hooks of a home run without the part that judges what a keyword was found in. */
function removeRules({ home }: Place): void {
  const folder = join(home, '..', 'hook');
  cpSync(dirname(HOOK), folder, { recursive: true });
  rmSync(join(folder, 'redaction-rules.cjs'));
  writeShim(home, { node: process.execPath, script: join(folder, 'main.cjs') });
}

describe('redaction in the built hook', () => {
  it('masks what the library masks', () => {
    const place = createPlace();
    for (const prompt of PROMPTS) ask(place, prompt);
    expect(recorded(place)).toEqual(PROMPTS.map(redact));
    expect(PROMPTS.filter((prompt) => redact(prompt) === prompt)).toHaveLength(1);
  });

  it('does not load its rules for a text without a keyword', () => {
    const place = createPlace();
    removeRules(place);
    const prompts = ['Rework the invoice export and add tests', 'Look at /home/bob/shop/export.ts'];
    for (const prompt of prompts) ask(place, prompt);
    expect(recorded(place)).toEqual(prompts.map(redact));
  });

  it('records nothing when it cannot load its rules', () => {
    const place = createPlace();
    ask(place, 'Rework the invoice export and add tests');
    removeRules(place);
    ask(place, `Use ${TOKEN} for the release`);
    expect(recorded(place)).toEqual(['Rework the invoice export and add tests']);
    expect(readFileSync(hookLogPath(place.home), 'utf8')).toContain('redaction-rules');
  });
});
