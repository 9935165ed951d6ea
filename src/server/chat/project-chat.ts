import type { ChatEvent, ChatSearchOptions, ChatService } from '../../chat/index.ts';
import type { Project } from '../../project/index.ts';
import { CHAT_AGENT, omitUndefined } from '../../record/index.ts';
import type { SearchHit } from '../../search/index.ts';
import { makeSnippet } from '../../search/rank/hits.ts';
import { foldCase } from '../../text/fold-case.ts';
import type { ChatSnapshot, DisplayMessage, SessionMatch, StreamingReply } from '../rpc/api.ts';
import {
  type LatestMessages,
  latestMessages,
  type NotificationBody,
  toDisplayMessage,
  toNotification,
} from '../rpc/chat-events.ts';
import { byteSize, MAX_RESPONSE_BYTES } from '../rpc/json-rpc.ts';

interface ProjectChatOptions {
  readonly service: ChatService;
  readonly project: Project;
  readonly notify: (notification: NotificationBody) => void;
  /** Reads the end of a session from the history. */
  readonly readMessages: (sessionId: string) => Promise<LatestMessages>;
}

const NO_MESSAGES: LatestMessages = { messages: [], earlier: 0 };

/** The chat of one project, with the state that a client needs when it connects in the middle of a reply. */
export class ProjectChat {
  readonly service: ChatService;
  readonly #options: ProjectChatOptions;
  #streaming: StreamingReply | null = null;
  #isCompacting = false;
  /** The messages on display; undefined when they have to be read again. */
  #displayed: LatestMessages | undefined;
  /** Changes whenever messages are added or removed. */
  #version = 0;

  constructor(options: ProjectChatOptions) {
    const { service, notify } = options;
    this.service = service;
    this.#options = options;
    service.on((event) => {
      const offset = this.#streaming?.text.length ?? 0;
      this.#apply(event);
      notify(toNotification(event, offset));
    });
  }

  get projectId(): string {
    return this.#options.project.info.projectHash;
  }

  get isBusy(): boolean {
    return this.service.isStreaming || this.#isCompacting;
  }

  /**
   * Asks a question. Resolves to the request's id once the question is recorded; the reply comes as events. Rejects when
   * the question is refused.
   */
  ask(prompt: string, images: readonly string[]): Promise<string> {
    return new Promise((resolve, reject) => {
      const stop = this.service.on((event) => {
        if (event.type !== 'asked') return;
        stop();
        resolve(event.requestId);
      });
      // A failure after the question was recorded is an event; the promise is settled by then.
      this.service.send(prompt, { images }).catch((error: unknown) => {
        stop();
        reject(error);
      });
    });
  }

  /** The state of the chat at the time this resolves. */
  async snapshot(readOnly: boolean, sequence: () => number): Promise<ChatSnapshot> {
    await this.#readMessages();
    const { project, sessionId, files } = this.service.state();
    return {
      project,
      ...omitUndefined({ sessionId }),
      ...this.#messages(),
      files,
      streaming: this.#streaming,
      compacting: this.#isCompacting,
      status: this.service.status(),
      readOnly,
      sequence: sequence(),
    };
  }

  /** The latest messages with their images, as many as one response may hold. */
  async messagesWithImages(): Promise<readonly DisplayMessage[]> {
    await this.#readMessages();
    const { history } = this.#options.project;
    let room = MAX_RESPONSE_BYTES;
    const addImages = (message: DisplayMessage): DisplayMessage => {
      if (message.imageRefs === undefined || room <= 0) return message;
      const images = history.readImages(message);
      room -= byteSize(images);
      return room < 0 ? message : { ...message, images };
    };
    return this.#messages().messages.toReversed().map(addImages).reverse();
  }

  /** Matches among the messages in memory; undefined if there are none, or if the history has them. */
  search(text: string, options: ChatSearchOptions, historyHits: number): SessionMatch | undefined {
    const turns = this.service.searchContext(text, options, historyHits);
    const { sessionId = '', messages } = this.service.state();
    if (turns.length === 0) return undefined;
    const session = { sessionId, project: this.projectId, timestamp: new Date().toISOString() };
    const hits = turns.map(
      (turn): SearchHit => ({
        ...session,
        kind: 'message',
        id: `${sessionId}-${messages.findLastIndex(({ content }) => content === turn.content)}`,
        role: turn.role,
        agent: CHAT_AGENT,
        snippet: makeSnippet(turn.content, foldCase(turn.content), [foldCase(text.trim())]),
        score: 0,
        match: 'literal',
      }),
    );
    return { ...session, hits, isInMemory: true };
  }

  #apply(event: ChatEvent): void {
    if (event.type === 'asked') {
      this.#streaming = { requestId: event.requestId, text: '' };
      this.#add(toDisplayMessage(event.message));
    }
    if (event.type === 'chunk') {
      this.#streaming = { requestId: event.requestId, text: (this.#streaming?.text ?? '') + event.text };
    }
    if (event.type === 'complete' || event.type === 'failed') this.#streaming = null;
    if (event.type === 'complete' && event.reply.message) this.#add(toDisplayMessage(event.reply.message));
    if (event.type === 'compaction-start') this.#isCompacting = true;
    if (event.type === 'compaction-complete' || event.type === 'compaction-error') this.#isCompacting = false;
    if (event.type === 'compaction-complete' || event.type === 'session') {
      this.#version += 1;
      this.#displayed = undefined;
    }
  }

  #add(message: LatestMessages['messages'][number]): void {
    this.#version += 1;
    if (this.#displayed === undefined) return;
    this.#displayed = latestMessages([...this.#displayed.messages, message], this.#displayed.earlier);
  }

  /** Reads again when messages were added or removed meanwhile. */
  async #readMessages(): Promise<void> {
    while (this.#displayed === undefined && this.#options.project.isRecording()) {
      const version = this.#version;
      const { sessionId } = this.service.state();
      const read = sessionId === undefined ? NO_MESSAGES : await this.#options.readMessages(sessionId);
      if (version === this.#version) this.#displayed = read;
    }
  }

  #messages(): LatestMessages {
    const { sessionId, messages } = this.service.state();
    if (this.#options.project.isRecording()) return this.#displayed ?? NO_MESSAGES;
    // Nothing is recorded: only the service knows the messages.
    return latestMessages(
      messages.map(({ role, content }, index) => toDisplayMessage({ id: `${sessionId}-${index}`, role, content })),
    );
  }
}
