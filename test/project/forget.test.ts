import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openHome, type Project } from '../../src/project/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

const AT = Date.parse('2026-03-02T09:00:00.000Z');
const COMMAND = 'frobnicate --deploy';

function fail(project: Project): string {
  const recorder = project.recorder();
  recorder.record(
    {
      sessionId: 's',
      callId: 'c',
      tool: 'Bash',
      input: { command: COMMAND },
      timestamp: new Date(AT).toISOString(),
    },
    { status: 'error', exitCode: 127, output: 'frobnicate: command not found' },
  );
  return project.memory.failures()[0]?.id ?? '';
}

function allText(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => readFileSync(join(item.parentPath, item.name), 'latin1'))
    .join('\n');
}

test.each([{ choices: ['pin'] }, { choices: ['pin', 'reset'] }] as const)(
  'forgetting a failure with the choices $choices removes every byte of it',
  ({ choices }) => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'app'));
    const home = openHome({ home: join(folder, 'home'), now: () => AT });
    const project = home.openProject(join(folder, 'app'));
    const id = fail(project);
    for (const choice of choices) project.memory.choose(choice, id);
    home.forgetPattern(project, id);
    const again = home.openProject(join(folder, 'app'));
    expect(again.memory.failures({ all: true })).toEqual([]);
    expect(allText(project.directory)).not.toContain(COMMAND);
    home.close();
  },
);
