import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  type ChatEvent,
  ChatService,
  createTopicDetector,
  Ledger,
  ModelResponder,
  type ModelSettings,
} from '../../src/chat/index.ts';
import { setSetting } from '../../src/config/index.ts';
import { type Home, openHome, type Project } from '../../src/project/index.ts';
import { temporaryFolder } from '../temp-folder.ts';
import type { ModelServer, ServerStep } from './model-server.ts';

/** A chat with a model, and its events. */
export interface Chatting {
  readonly chat: ChatService;
  readonly home: Home;
  readonly project: Project;
  readonly root: string;
  readonly events: ChatEvent[];
}

/** The folders of a chat. */
export interface Place {
  readonly homeFolder: string;
  readonly root: string;
}

/** A new home with some settings, and a project folder. */
export function newPlace(settings: Readonly<Record<string, string>> = {}): Place {
  const homeFolder = join(temporaryFolder(), 'home');
  const root = temporaryFolder();
  mkdirSync(homeFolder, { mode: 0o700 });
  for (const [key, value] of Object.entries(settings)) {
    setSetting(join(homeFolder, 'config.json'), key, value, 'home');
  }
  return { homeFolder, root };
}

/** Opens a chat as `yore chat` does, over a server that speaks OpenAI's interface. */
export function open(
  server: ModelServer,
  place: Place = newPlace(),
  provider: ModelSettings['provider'] = 'openai-compatible',
): Chatting {
  const home = openHome({ home: place.homeFolder });
  const project = home.openProject(place.root);
  const settings: ModelSettings = { provider, name: 'test-model', smallName: 'small', baseUrl: server.url };
  const modelContext = {
    env: { ANTHROPIC_API_KEY: 'k' },
    ledger: new Ledger(home.path),
    project: project.info.projectHash,
    retry: { firstWaitMs: 5, maxWaitMs: 10 },
  };
  const chat = new ChatService({
    home,
    project,
    root: place.root,
    responder: new ModelResponder(settings, modelContext),
    detector: createTopicDetector(settings, modelContext),
    env: { PATH: process.env.PATH },
    compactionDelayMs: 5,
  });
  const events: ChatEvent[] = [];
  chat.on((event) => events.push(event));
  onTestFinished(async () => {
    await chat.close();
    home.close();
  });
  return { chat, home, project, root: place.root, events };
}

/** Pieces of a reply. */
export function say(...words: readonly string[]): readonly ServerStep[] {
  return words.map((word) => ({ say: word }));
}

/** The types of events. */
export function typesOf(events: readonly ChatEvent[]): readonly string[] {
  return events.map(({ type }) => type);
}

/** The messages recorded in the current session. */
export function historyOf({ chat, project }: Chatting): readonly (readonly [string, string])[] {
  const { sessionId } = chat.state();
  return project.history.getSessionMessages(sessionId ?? '').map(({ role, content }) => [role, content]);
}

/** The user's messages in the last request. */
export function sentTexts(server: ModelServer): readonly string[] {
  return server.requests.at(-1)?.body.messages.map(({ content }: { content: unknown }) => String(content)) ?? [];
}
