import type { ChatService, ChatWork } from '../../chat/index.ts';
import type { Home, Project } from '../../project/index.ts';
import { findServedRoot, requestedProject } from '../find-project.ts';
import type { ChatNotification } from '../rpc/api.ts';
import type { IndexUpdater } from '../workers/index-updater.ts';
import { shuttingDown, type Workers } from '../workers/workers.ts';
import { ProjectChat } from './project-chat.ts';

/** Opens the chat about a project; files are read in `root`, and `work` runs in a worker. */
export type OpenChat = (project: Project, root: string, work: ChatWork) => ChatService;

interface ChatsOptions {
  readonly home: Home;
  readonly cwd: string;
  readonly openChat: OpenChat;
  readonly workers: Workers;
  readonly index: IndexUpdater;
  readonly notify: (notification: ChatNotification) => void;
  readonly onError: (error: unknown) => void;
}

/** How many chats stay open while nothing happens in them. */
const MAX_OPEN = 8;
/** How long a chat waits for the index before it looks for its last session. */
const RESTORE_WAIT_MS = 10_000;
/** How long reading waits for the index to get the reply that was just recorded. */
const READ_WAIT_MS = 500;

/** The chats of all projects. Each is opened on demand, with its last session. */
export class Chats {
  readonly #options: ChatsOptions;
  /** The least recently used first. */
  readonly #open = new Map<string, ProjectChat>();
  readonly #opening = new Map<string, Promise<ProjectChat>>();
  #sequence = 0;
  #isClosed = false;

  constructor(options: ChatsOptions) {
    this.#options = options;
  }

  /** The sequence number of the last notification. */
  get sequence(): number {
    return this.#sequence;
  }

  /** The chat of a project, by default of the one the server was started in. NOT_FOUND. */
  async get(projectId: string | undefined): Promise<ProjectChat> {
    const known = projectId === undefined ? undefined : this.#open.get(projectId);
    const chat = known ?? (await this.#getOrOpen(projectId));
    this.#open.delete(chat.projectId);
    this.#open.set(chat.projectId, chat);
    this.#closeIdle();
    return chat;
  }

  /** The chats that are open, of one project or of all. */
  open(projectId?: string): readonly ProjectChat[] {
    return [...this.#open.values()].filter((chat) => projectId === undefined || chat.projectId === projectId);
  }

  /** Stops all replies and updates the projects' knowledge. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const chats = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(chats.map((chat) => this.#close(chat)));
  }

  async #getOrOpen(projectId: string | undefined): Promise<ProjectChat> {
    const { home, cwd } = this.#options;
    const project = requestedProject(home, cwd, projectId);
    const id = project.info.projectHash;
    const known = this.#open.get(id);
    if (known !== undefined) return known;
    const opening = this.#opening.get(id) ?? this.#restore(project);
    this.#opening.set(id, opening);
    try {
      return await opening;
    } finally {
      this.#opening.delete(id);
    }
  }

  async #restore(project: Project): Promise<ProjectChat> {
    const { home, cwd, openChat, workers, index } = this.#options;
    const id = project.info.projectHash;
    await index.catchUp(RESTORE_WAIT_MS);
    if (this.#isClosed) throw shuttingDown();
    const service = openChat(project, findServedRoot(home, cwd, project), {
      answer: (message) => workers.ask('answer', { project: id, message }),
      maintain: async () => {
        await workers.ask('maintain', { project: id });
      },
    });
    service.restoreLast();
    return new ProjectChat({
      service,
      project,
      notify: (body) => {
        this.#sequence += 1;
        this.#options.notify({ project: id, sequence: this.#sequence, ...body });
      },
      readMessages: async (sessionId) => {
        await index.catchUp(READ_WAIT_MS);
        return workers.ask('latestMessages', { project: id, sessionId });
      },
    });
  }

  #closeIdle(): void {
    const idle = [...this.#open.values()].slice(0, -1).filter((chat) => !chat.isBusy);
    for (const chat of idle.slice(0, Math.max(0, this.#open.size - MAX_OPEN))) {
      this.#open.delete(chat.projectId);
      void this.#close(chat);
    }
  }

  async #close(chat: ProjectChat): Promise<void> {
    try {
      await chat.service.close();
    } catch (error) {
      this.#options.onError(error);
    }
  }
}
