import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openHome, type Project } from '../../src/project/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

const AT = Date.parse('2026-03-02T09:00:00.000Z');

function openProject(): { readonly project: Project; readonly forget: (sessionId: string) => void } {
  const folder = temporaryFolder();
  const checkout = join(folder, 'app');
  mkdirSync(checkout);
  let now = AT;
  const home = openHome({ home: join(folder, 'home'), now: () => now++ });
  const project = home.openProject(checkout);
  return { project, forget: (sessionId) => void home.forgetSession(project, sessionId) };
}

let calls = 0;

function answer(project: Project, question: string, said: string, sessionId = 'one'): void {
  const timestamp = new Date(AT + calls++).toISOString();
  project.recorder().record(
    {
      ...{ sessionId, agent: 'claude-code', tool: 'AskUserQuestion', callId: `c${calls}`, timestamp },
      input: { questions: [{ question, header: 'Choice', options: [] }] },
    },
    { status: 'ok', output: `User has answered your questions: "${question}"="${said}".` },
  );
}

it('has the last word of the user: edited, pinned, dismissed, and each of these undone', () => {
  const { project } = openProject();
  const { memory } = project;
  answer(project, 'Which port does the relay use?', '8443');
  answer(project, 'Where are traces kept?', 'SQLite');
  const [, port] = memory.conclusions();
  const id = port?.id ?? '';
  expect(memory.chooseConclusion('edit', id, 'The relay listens on 8443')).toMatchObject({
    text: 'The relay listens on 8443',
    isEdited: true,
  });
  memory.chooseConclusion('pin', id);
  expect(memory.conclusions().map(({ text }) => text)).toEqual([
    'The relay listens on 8443',
    'Where are traces kept? SQLite',
  ]);
  memory.chooseConclusion('dismiss', id);
  expect(memory.conclusions()).toHaveLength(1);
  memory.chooseConclusion('undo', id);
  memory.chooseConclusion('undo', id);
  expect(memory.chooseConclusion('undo', id)).toMatchObject({
    text: 'Which port does the relay use? 8443',
    isEdited: false,
    isPinned: false,
  });
  expect(() => memory.chooseConclusion('pin', 'd-none')).toThrow('yore decisions');
});

it('brings back what a session had replaced when that session is forgotten, with its choices', () => {
  const { project, forget } = openProject();
  answer(project, 'Which port does the relay use?', '8443');
  answer(project, 'Which port does the relay use?', '9000', 'two');
  const [now] = project.memory.conclusions();
  expect(now).toMatchObject({ text: 'Which port does the relay use? 9000', replaced: [{}] });
  project.memory.chooseConclusion('edit', now?.id ?? '', 'The relay listens on 9000');
  forget('two');
  expect(project.memory.conclusions()).toMatchObject([
    { text: 'Which port does the relay use? 8443', state: 'current', replaced: [] },
  ]);
  expect(existsSync(join(project.directory, 'warnings.jsonl'))).toBe(false);
});
