import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openHome, type Project } from '../../src/project/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

const NOW = Date.now();
const DAY = 86_400_000;

function open(folder: string, now: number): { readonly project: Project; readonly close: () => void } {
  const home = openHome({ home: join(folder, 'home'), now: () => now });
  return { project: home.openProject(join(folder, 'app')), close: () => home.close() };
}

function record(project: Project, id: string, at: number): void {
  const recorder = project.recorder();
  const call = { sessionId: 's', callId: id, tool: 'Bash', input: { command: `frobnicate --${id}` } };
  recorder.record(
    { ...call, timestamp: new Date(at).toISOString() },
    { status: 'error', exitCode: 2, output: `error: unknown option '--${id}'` },
  );
}

test('failures that were archived while the clock was ahead are active again when it is right', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'app'));
  const first = open(folder, NOW);
  record(first.project, 'deploy', NOW - DAY);
  const before = first.project.memory.failures();
  expect(before).toHaveLength(1);
  first.project.maintain();
  first.close();
  const ahead = open(folder, NOW + 40 * DAY);
  ahead.project.maintain();
  record(ahead.project, 'later', NOW + 40 * DAY);
  expect(ahead.project.memory.failures().map(({ what }) => what)).not.toContain('frobnicate --deploy');
  ahead.close();
  const again = open(folder, NOW + DAY);
  again.project.maintain();
  expect(again.project.memory.pastFailures().calls).toBe(2);
  const found = again.project.memory.failures({ all: true }).find(({ what }) => what === 'frobnicate --deploy');
  expect(found).toMatchObject({ count: 1 });
  expect(again.project.memory.failures().map(({ what }) => what)).toContain('frobnicate --deploy');
  again.close();
});
