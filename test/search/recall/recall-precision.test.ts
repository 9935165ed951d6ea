import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { UNKNOWN_MACHINE } from '../../../src/ask/guard/candidates.ts';
import { openHome, type Project, type Recorder } from '../../../src/project/index.ts';
import { temporaryFolder } from '../../temp-folder.ts';

interface Marina {
  readonly recordMarina: (recorder: Recorder, root: string) => void;
  readonly MARINA_PROMPTS: readonly { readonly prompt: string; readonly sessionId: string; readonly commit: string }[];
}

interface Unrelated {
  readonly UNRELATED_PROMPTS: readonly string[];
  readonly SHORT_ANSWERS: readonly string[];
}

const corpus = new URL('../../../bench/corpus/', import.meta.url);
const { recordMarina, MARINA_PROMPTS }: Marina = await import(new URL('marina.mjs', corpus).href);
const { UNRELATED_PROMPTS, SHORT_ANSWERS }: Unrelated = await import(new URL('unrelated-prompts.mjs', corpus).href);

/** A project of forty sessions. */
function createMarina(): Project {
  const folder = temporaryFolder();
  const cwd = join(folder, 'marina');
  mkdirSync(cwd);
  const now = () => Date.parse('2025-05-01T12:00:00Z');
  const home = openHome({ home: join(folder, 'home'), now, machine: () => UNKNOWN_MACHINE });
  onTestFinished(() => home.close());
  const project = home.openProject(cwd);
  recordMarina(project.recorder(), cwd);
  project.maintain();
  return project;
}

it('recalls nothing for prompts that are unrelated to the project, and for short replies', () => {
  const { memory } = createMarina();
  const prompts = [...UNRELATED_PROMPTS, ...SHORT_ANSWERS];
  expect(prompts.length).toBeGreaterThanOrEqual(90);
  expect(prompts.filter((prompt) => memory.recall(prompt) !== undefined)).toEqual([]);
});

it('shows the decisive line of the right session for related prompts', () => {
  const { memory } = createMarina();
  const missed = MARINA_PROMPTS.filter(({ prompt, sessionId, commit }) => {
    const recollection = memory.recall(prompt);
    return recollection?.sessionId !== sessionId || !recollection.lines.some(({ text }) => text.includes(commit));
  });
  expect(MARINA_PROMPTS.length).toBeGreaterThanOrEqual(30);
  expect(missed.length / MARINA_PROMPTS.length, missed.map(({ prompt }) => prompt).join('\n')).toBeLessThanOrEqual(0.2);
});
