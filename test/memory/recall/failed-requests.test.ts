import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type FailureReader, readCurrentFailures } from '../../../src/ask/guard/current-failures.ts';
import { recallPrompt } from '../../../src/memory/recall/recall-prompt.ts';
import { openHome, type Project } from '../../../src/project/index.ts';
import { temporaryFolder } from '../../temp-folder.ts';

const START = Date.parse('2026-03-03T09:00:00.000Z');
const NOW = START + 86_400_000;
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
  recorder.guard.store.writeSnapshot(at);
  recorder.close();
  project.memory.synthesise();
  return project;
}

it('recalls the same failures from the snapshot as from the guard', () => {
  const folder = temporaryFolder();
  const project = createProject(folder);
  const { directory, config } = project;
  const recorder = project.recorder();
  const current = readCurrentFailures(directory, { failureLookbackDays: 7, minConfidence: 0.7 });
  const ask = (prompt: string, guard: FailureReader | undefined) =>
    guard && recallPrompt(prompt, { directory, config, now: () => NOW, guard, digest: () => undefined });
  const prompts = [
    'Rework step 297 of the panorama thumbnails in src/part297.ts',
    'Rework the invoice export again',
    'Make the parser_cache faster',
    'Rename the kangaroo',
  ];
  const recalled = prompts.map((prompt) => ask(prompt, recorder.guard));
  expect(current).toBeDefined();
  expect(prompts.map((prompt) => ask(prompt, current))).toEqual(recalled);
  expect(recalled[0]?.lines.map(({ text }) => text).join()).toContain('npm install package-297');
  expect(recalled.at(-1)).toBeUndefined();
  recorder.close();
});
