import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ClaudeSession } from '../../import/machine.ts';
import { createPlace, type Place, yore, yoreJson } from './run-yore.ts';

function writeSession({ folder: user, cwd }: Place): string {
  const session = new ClaudeSession('aaaa1111-0000-4000-8000-000000000001', cwd)
    .asks('add caching with redis')
    .runs('c1', 'npm install redis-node', 'npm error 404 not found', true)
    .says('That package does not exist.');
  const folder = join(user, '.claude', 'projects', 'my-app');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${session.id}.jsonl`);
  writeFileSync(path, `${session.text}{"type":"sparkle"}\n{"type":"sparkle"}\n`);
  return path;
}

describe('yore import', () => {
  it('lists the places searched when there is nothing', () => {
    const { code, stdout } = yore(createPlace(), ['import']);
    expect(code).toBe(0);
    expect(stdout).toContain('No transcripts found. Places searched:');
    expect(stdout).toContain('~/.claude/projects');
  });

  it('imports and reports; a second import finds nothing new', () => {
    const here = createPlace();
    const path = writeSession(here);
    const { code, stdout } = yore(here, ['import'], { env: { COLUMNS: '250' } });
    expect(code).toBe(0);
    expect(stdout).toContain('Imported 3 records from 1 session in 1 project, and 1 prompt for the prompt history.');
    expect(stdout).toMatch(/claude-code\s+1\s+1\s+0\s+6\s+2\s+0\s+1/);
    expect(stdout).toContain('2 parts could not be parsed; the rest was imported:');
    expect(stdout).toContain(`${path}, line 5: unknown line: sparkle (2 times in all)`);
    expect(yore(here, ['search', 'redis-node']).stdout).toContain('redis-node');
    expect(yore(here, ['import']).stdout).toContain('Nothing new to import.');
  });

  it('only counts in a dry run', () => {
    const here = createPlace();
    writeSession(here);
    const report = yoreJson(here, ['import', 'claude-code', '--dry-run']);
    expect(report).toMatchObject({
      isDryRun: true,
      agents: [{ agent: 'claude-code', found: 1, read: 1, messages: 2, attempts: { failure: 1 }, problemCount: 2 }],
    });
    expect(yoreJson(here, ['sessions'])).toMatchObject({ total: 0 });
  });

  it('rejects unknown agents and files', () => {
    const here = createPlace();
    expect(yore(here, ['import', 'clippy']).code).toBe(2);
    expect(yore(here, ['import', '--file', 'nowhere.jsonl']).code).toBe(4);
  });
});
