import type { Home, Project } from '../project/index.ts';
import { ChatService } from './chat-service.ts';
import { Ledger } from './ledger.ts';
import { MemoryResponder } from './memory-responder/memory-responder.ts';
import { ModelResponder } from './models/model-responder.ts';
import { modelSettings } from './models/model-settings.ts';
import { topicModel } from './models/topic-model.ts';

/** What {@link openChat} opens a chat about and with. */
export interface OpenChatOptions {
  readonly home: Home;
  readonly project: Project;
  /** The folder that files are read from and commands run in. */
  readonly root: string;
  /** Where the key of the model comes from, and what commands run with. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
  /** Another model than the configured one: its name, or provider/name. */
  readonly model?: string;
  /** Does what takes long somewhere else. Default: it is done here. */
  readonly work?: {
    readonly answer: (asked: { readonly question: string; readonly sessionId: string }) => Promise<string>;
    readonly synthesise: () => Promise<void>;
  };
}

/** A chat, the ledger of what its model costs, and a way to load the model before it is asked. */
export interface OpenedChat {
  readonly chat: ChatService;
  readonly ledger: Ledger;
  readonly warmUp: () => void;
}

/** Opens the chat about a project: with the model of its settings, or without one from what is recorded. CONFIG. */
export function openChat({ home, project, root, env, now, model, work }: OpenChatOptions): OpenedChat {
  const ledger = new Ledger(home.path, now);
  const settings = modelSettings(project.config, model);
  const options = { home, project, root, env, now, ...(work ? { synthesise: work.synthesise } : {}) };
  if (settings === undefined) {
    const responder = new MemoryResponder({ home, project, now, ...(work ? { answer: work.answer } : {}) });
    return { chat: new ChatService({ ...options, responder }), ledger, warmUp: () => undefined };
  }
  const surroundings = { env, ledger, project: project.info.projectHash };
  const responder = new ModelResponder(settings, surroundings);
  const chat = new ChatService({ ...options, responder, detector: topicModel(settings, surroundings) });
  return { chat, ledger, warmUp: () => void responder.warmUp() };
}
