import type { ChatService } from '../../chat/index.ts';
import type { Home, Project } from '../../project/index.ts';
import { meantProject } from '../project-by-id.ts';
import type { ChatNotice } from '../rpc/api.ts';
import type { UnplacedNotice } from './chat-notice.ts';
import { ServedChat } from './served-chat.ts';

/** Opens the chat about a project; files are read in `root`. */
export type OpenChat = (project: Project, root: string) => ChatService;

/** What {@link Chats} needs from the server. */
export interface ChatsOptions {
  readonly home: Home;
  readonly cwd: string;
  readonly openChat: OpenChat;
  readonly tell: (notice: ChatNotice) => void;
  readonly onError: (error: unknown) => void;
}

/** Chats that are kept open when nothing happens in them. */
const MOST_OPEN = 8;

/** The chats of all projects, opened when somebody asks for them, each where it was left. */
export class Chats {
  readonly #options: ChatsOptions;
  /** The one used last at the end. */
  readonly #open = new Map<string, ServedChat>();
  #sequence = 0;

  constructor(options: ChatsOptions) {
    this.#options = options;
  }

  /** Number of the last event that was told. */
  get sequence(): number {
    return this.#sequence;
  }

  /** The chat of a project; by default that of the folder the server was started in. NOT_FOUND. */
  of(projectId: string | undefined): ServedChat {
    const known = projectId === undefined ? undefined : this.#open.get(projectId);
    const chat = known ?? this.#enter(projectId);
    this.#open.delete(chat.projectId);
    this.#open.set(chat.projectId, chat);
    this.#closeIdle();
    return chat;
  }

  /** Ends all replies and takes what was said into the projects' knowledge. */
  async close(): Promise<void> {
    const chats = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(chats.map((chat) => this.#close(chat)));
  }

  #enter(projectId: string | undefined): ServedChat {
    const { home, cwd, openChat } = this.#options;
    const project = meantProject(home, cwd, projectId);
    const id = project.info.projectHash;
    const known = this.#open.get(id);
    if (known !== undefined) return known;
    const isOfFolder = home.findProject(cwd)?.info.projectHash === id;
    const root = isOfFolder ? home.checkoutOf(cwd) : project.info.projectPath;
    const service = openChat(project, root);
    service.restoreLast();
    return new ServedChat(service, project, (notice) => this.#tell(id, notice));
  }

  #tell(project: string, notice: UnplacedNotice): void {
    this.#sequence += 1;
    this.#options.tell({ project, sequence: this.#sequence, ...notice });
  }

  #closeIdle(): void {
    const idle = [...this.#open.values()].slice(0, -1).filter((chat) => !chat.isBusy);
    for (const chat of idle.slice(0, Math.max(0, this.#open.size - MOST_OPEN))) {
      this.#open.delete(chat.projectId);
      void this.#close(chat);
    }
  }

  async #close(chat: ServedChat): Promise<void> {
    try {
      await chat.service.close();
    } catch (error) {
      this.#options.onError(error);
    }
  }
}
