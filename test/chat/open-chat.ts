import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ChatService, type Responder } from '../../src/chat/index.ts';
import { type Home, openHome, type Project } from '../../src/project/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

/** A chat in a new project, closed after the test. */
export interface OpenedChat {
  readonly chat: ChatService;
  readonly home: Home;
  readonly project: Project;
  readonly root: string;
}

/** Opens a chat about a project, by default a new one in a new home. */
export function openChat(
  responder: Responder,
  root: string = temporaryFolder(),
  homeFolder: string = join(temporaryFolder(), 'home'),
): OpenedChat {
  const home = openHome({ home: homeFolder, env: {} });
  const project = home.openProject(root);
  const env = { PATH: process.env.PATH };
  const chat = new ChatService({ home, project, root, responder, env, compactionDelayMs: 1 });
  onTestFinished(async () => {
    await chat.close();
    home.close();
  });
  return { chat, home, project, root };
}
