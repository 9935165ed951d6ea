import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openHome, type Project } from '../../../src/project/index.ts';
import { temporaryFolder } from '../../temp-folder.ts';

const START = Date.parse('2026-03-03T09:00:00.000Z');
const SUBJECTS = [
  'invoice export',
  'login form',
  'search index',
  'panorama thumbnails',
  'colour theme',
  'parser-cache',
];

/** A project in which 300 calls failed, each for a request of its own. */
function createProject(folder: string): Project {
  mkdirSync(join(folder, 'shop'));
  let at = START;
  const project = openHome({ home: join(folder, 'home'), now: () => at }).openProject(join(folder, 'shop'));
  const recorder = project.recorder();
  for (let i = 0; i < 300; i++) {
    at += 60_000;
    const head = { sessionId: `s${i}`, timestamp: new Date(at).toISOString() };
    const text = `Rework step ${i} of the ${SUBJECTS[i % SUBJECTS.length]} in src/part${i}.ts, it's slow`;
    recorder.recordPrompt({ ...head, text, agent: 'claude-code' });
    const call = { ...head, tool: 'Bash', input: { command: `npm install package-${i}` } };
    recorder.record(call, { status: 'error', exitCode: 1, output: `npm error 404 Not Found package-${i}` });
  }
  project.maintain();
  return project;
}

it('recalls a failure whose request is like the prompt', () => {
  const project = createProject(temporaryFolder());
  const ask = (prompt: string) => project.memory.recall(prompt)?.lines.map(({ text }) => text);
  expect(ask('Rework step 297 of the panorama thumbnails in src/part297.ts')?.join()).toContain(
    'npm install package-297',
  );
  expect(ask('Rename the kangaroo')).toBeUndefined();
});
