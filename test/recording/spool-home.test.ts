import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHome } from '../../src/project/index.ts';
import { Spool, toSpooledCall } from '../../src/recording/spool.ts';
import { readSpool } from '../../src/recording/spooled-call.ts';
import { temporaryFolder } from '../temp-folder.ts';

const START = Date.parse('2026-03-03T09:00:00.000Z');

describe('opening a home', () => {
  function placeWithSpool(): { readonly home: string; readonly folder: string; readonly directory: string } {
    const [home, folder] = [join(temporaryFolder(), 'home'), join(temporaryFolder(), 'shop')];
    mkdirSync(folder);
    const { directory } = openHome({ home }).openProject(folder);
    spool(directory, 'first');
    return { home, folder, directory };
  }

  function spool(directory: string, callId: string): void {
    const timestamp = new Date(START).toISOString();
    const call = { sessionId: 's', callId, tool: 'Bash', input: { command: 'make thing' }, timestamp };
    new Spool(directory).add(toSpooledCall(call, { status: 'error', exitCode: 2, output: 'usage: make' }));
  }

  it('drains the spool, so that searches, lists and counts include its calls', () => {
    const { home, folder, directory } = placeWithSpool();
    const opened = openHome({ home, now: () => START + 60_000 });
    expect(opened.projects()).toHaveLength(1);
    expect(opened.status().failures).toBe(1);
    spool(directory, 'second');
    expect(opened.search({ text: 'make thing' }).hits.length).toBeGreaterThan(0);
    expect(opened.openProject(folder).session('s').records).toHaveLength(2);
    spool(directory, 'third');
    expect(opened.openProject(folder).memory.failures({ all: true })).toHaveLength(1);
    expect(readFileSync(join(directory, 'failures.jsonl'), 'utf8').split('\n')).toHaveLength(4);
    opened.close();
  });

  it('drains the spool before a session is forgotten', () => {
    const { home, folder, directory } = placeWithSpool();
    const opened = openHome({ home });
    const project = opened.openProject(folder);
    spool(directory, 'late');
    expect(opened.forgetSession(project, 's').attempts).toBe(2);
    expect(existsSync(join(directory, 'spool.jsonl'))).toBe(false);
    opened.close();
  });

  it('includes spooled calls in a backup', async () => {
    const { home, directory } = placeWithSpool();
    const opened = openHome({ home });
    spool(directory, 'late');
    const file = join(temporaryFolder(), 'backup.tar.gz');
    await opened.backup(file);
    opened.close();
    const other = openHome({ home: join(temporaryFolder(), 'restored') });
    await other.restore(file);
    expect(other.status().failures).toBe(2);
    other.close();
  });

  it('leaves calls in the spool when they cannot be recorded', () => {
    const { home, directory } = placeWithSpool();
    mkdirSync(join(directory, 'failures.jsonl'));
    openHome({ home }).close();
    expect(readSpool(directory)).toHaveLength(1);
  });
});
