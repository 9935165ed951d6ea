import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { CHAT_AGENT } from '../../src/chat/index.ts';
import { openHome } from '../../src/project/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

it('a project was active when work was last recorded by a program, whatever was asked in the chat since', () => {
  const folder = temporaryFolder();
  const cwd = join(folder, 'shop');
  mkdirSync(cwd);
  let now = Date.parse('2025-11-10T10:00:00.000Z');
  const home = openHome({ home: join(folder, 'home'), now: () => now });
  onTestFinished(() => home.close());
  const project = home.openProject(cwd);
  const at = (day: string) => {
    now = Date.parse(`2025-11-${day}T10:00:00.000Z`);
    return { sessionId: `s${day}`, timestamp: new Date(now).toISOString() };
  };
  project.recorder().recordPrompt({ ...at('12'), agent: 'claude-code', text: 'Paint the shed' });
  project.history.append({ ...at('14'), agent: CHAT_AGENT, role: 'user', content: 'what did we paint?' });
  project.maintain();
  home.catchUp();
  const [active] = home.projectsByActivity();
  expect(active?.lastActiveAt).toBe('2025-11-12T10:00:00.000Z');
  expect(home.projects()[0]?.lastActiveAt).toBe('2025-11-12T10:00:00.000Z');
});
