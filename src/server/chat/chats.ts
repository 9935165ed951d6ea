import type { ChatService } from '../../chat/index.ts';
import type { Home, Project } from '../../project/index.ts';
import { YoreError } from '../../record/index.ts';
import { meantProject } from '../project-by-id.ts';
import type { ChatNotice } from '../rpc/api.ts';
import type { IndexKeeper } from '../work/index-keeper.ts';
import type { Work } from '../work/work.ts';
import type { UnplacedNotice } from './chat-notice.ts';
import { ServedChat } from './served-chat.ts';

/** What a chat may have done beside the thread that answers clients. */
export interface ChatWork {
  /** What the memory of the project says to a question. */
  readonly answer: (asked: { readonly question: string; readonly sessionId: string }) => Promise<string>;
  /** Takes what was said and done into the project's knowledge. */
  readonly synthesise: () => Promise<void>;
}

/** Opens the chat about a project; files are read in `root`. */
export type OpenChat = (project: Project, root: string, work: ChatWork) => ChatService;

/** What {@link Chats} needs from the server. */
export interface ChatsOptions {
  readonly home: Home;
  readonly cwd: string;
  readonly openChat: OpenChat;
  readonly work: Work;
  readonly index: IndexKeeper;
  readonly tell: (notice: ChatNotice) => void;
  readonly onError: (error: unknown) => void;
}

/** Chats that are kept open when nothing happens in them. */
const MOST_OPEN = 8;
/** The last session is looked for in an index that has it, unless that takes longer than this. */
const RESTORE_PATIENCE_MS = 10_000;
/** What a reply has just written is in the index soon. */
const READ_PATIENCE_MS = 500;

/** The chats of all projects, opened when somebody asks for them, each where it was left. */
export class Chats {
  readonly #options: ChatsOptions;
  /** The one used last at the end. */
  readonly #open = new Map<string, ServedChat>();
  readonly #opening = new Map<string, Promise<ServedChat>>();
  #sequence = 0;
  #isClosed = false;

  constructor(options: ChatsOptions) {
    this.#options = options;
  }

  /** Number of the last event that was told. */
  get sequence(): number {
    return this.#sequence;
  }

  /** The chat of a project; by default that of the folder the server was started in. NOT_FOUND. */
  async of(projectId: string | undefined): Promise<ServedChat> {
    const known = projectId === undefined ? undefined : this.#open.get(projectId);
    const chat = known ?? (await this.#enter(projectId));
    this.#open.delete(chat.projectId);
    this.#open.set(chat.projectId, chat);
    this.#closeIdle();
    return chat;
  }

  /** Ends all replies and takes what was said into the projects' knowledge. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const chats = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(chats.map((chat) => this.#close(chat)));
  }

  async #enter(projectId: string | undefined): Promise<ServedChat> {
    const { home, cwd } = this.#options;
    const project = meantProject(home, cwd, projectId);
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

  async #restore(project: Project): Promise<ServedChat> {
    const { home, cwd, openChat, index } = this.#options;
    const id = project.info.projectHash;
    await index.settle(RESTORE_PATIENCE_MS);
    if (this.#isClosed) throw new YoreError('BUSY', 'The server ends. Try again when it runs.');
    const isOfFolder = home.findProject(cwd)?.info.projectHash === id;
    const root = isOfFolder ? home.checkoutOf(cwd) : project.info.projectPath;
    const service = openChat(project, root, this.#workFor(id));
    service.restoreLast();
    return new ServedChat({
      service,
      project,
      tell: (notice) => this.#tell(id, notice),
      readMessages: (sessionId) => this.#readMessages(id, sessionId),
    });
  }

  #workFor(project: string): ChatWork {
    const { work } = this.#options;
    return {
      answer: (asked) => work.ask('answer', { project, ...asked }),
      synthesise: async () => {
        await work.ask('synthesise', { project });
      },
    };
  }

  async #readMessages(project: string, sessionId: string) {
    const { index, work } = this.#options;
    await index.settle(READ_PATIENCE_MS);
    return work.ask('messages', { project, sessionId });
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
