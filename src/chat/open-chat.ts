import type { Home, Project } from '../project/index.ts';
import { omitUndefined } from '../record/object.ts';
import { ChatService } from './chat-service.ts';
import { Ledger } from './ledger.ts';
import { MemoryResponder } from './memory-responder/memory-responder.ts';
import { createTopicDetector, ModelResponder } from './models/model-responder.ts';
import { modelSettings } from './models/open-model.ts';

/** Options of {@link openChat}. */
export interface OpenChatOptions {
  readonly home: Home;
  readonly project: Project;
  /** The folder in which files are read and commands run. */
  readonly root: string;
  /** Holds the key of the model; also the environment of commands. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
  /** A model other than the configured one: its name, or `provider/name`. */
  readonly model?: string;
  /** Runs slow work in another thread. Default: it runs in this one. */
  readonly work?: ChatWork;
}

/** Slow work of a chat that can run in another thread. */
export interface ChatWork {
  /** Answers a message from the project's memory, without a model. */
  readonly answer: (message: string) => Promise<string>;
  /** Brings what is kept about the project up to date. */
  readonly maintain: () => Promise<void>;
}

/** A chat, the ledger of its model calls, and a function that loads the model ahead of the first question. */
export interface OpenedChat {
  readonly chat: ChatService;
  readonly ledger: Ledger;
  readonly warmUp: () => void;
}

/** Opens the chat about a project, answered by the configured model or, without one, by the memory. Throws CONFIG. */
export function openChat({ home, project, root, env, now, model, work }: OpenChatOptions): OpenedChat {
  const ledger = new Ledger(home.path, now, home.prices);
  const settings = modelSettings(project.config, model);
  const options = { home, project, root, env, now, ...omitUndefined({ maintain: work?.maintain }) };
  if (settings === undefined) {
    const responder = new MemoryResponder({ home, project, now, ...omitUndefined({ answer: work?.answer }) });
    return { chat: new ChatService({ ...options, responder }), ledger, warmUp: () => undefined };
  }
  const context = { env, ledger, project: project.info.projectHash };
  const responder = new ModelResponder(settings, context);
  const detector = createTopicDetector(settings, context);
  const chat = new ChatService({ ...options, responder, detector });
  return { chat, ledger, warmUp: () => void responder.warmUp() };
}
