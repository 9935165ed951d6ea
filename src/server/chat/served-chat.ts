import type { ChatEvent, ChatService } from '../../chat/index.ts';
import type { Project } from '../../project/index.ts';
import type { ChatSnapshot, StreamingReply } from '../rpc/api.ts';
import { chatNotice, type UnplacedNotice } from './chat-notice.ts';
import { type LatestMessages, latestMessages, shownMessage } from './shown-messages.ts';

/** What a {@link ServedChat} needs from the server. */
export interface ServedChatOptions {
  readonly service: ChatService;
  readonly project: Project;
  readonly tell: (notice: UnplacedNotice) => void;
  /** Reads the end of a session from the history. */
  readonly readMessages: (sessionId: string) => Promise<LatestMessages>;
}

const NOTHING: LatestMessages = { messages: [], earlier: 0 };

/** The chat of one project, with what a client that connects in the middle of it has to know. */
export class ServedChat {
  readonly service: ChatService;
  readonly #options: ServedChatOptions;
  #streaming: StreamingReply | null = null;
  #isCompacting = false;
  /** What the user sees; undefined when it has to be read again. */
  #shown: LatestMessages | undefined;
  /** Another number whenever messages come or go. */
  #version = 0;

  constructor(options: ServedChatOptions) {
    const { service, tell } = options;
    this.service = service;
    this.#options = options;
    service.on((event) => {
      const offset = this.#streaming?.text.length ?? 0;
      this.#follow(event);
      tell(chatNotice(event, offset));
    });
  }

  get projectId(): string {
    return this.#options.project.info.projectHash;
  }

  get isBusy(): boolean {
    return this.service.isStreaming || this.#isCompacting;
  }

  /**
   * Asks, and resolves to the id of the request as soon as the question is written down; the reply comes as events.
   * Rejects when it is not taken.
   */
  ask(prompt: string, images: readonly string[]): Promise<string> {
    return new Promise((resolve, reject) => {
      const stop = this.service.on((event) => {
        if (event.type !== 'asked') return;
        stop();
        resolve(event.requestId);
      });
      // A failure after the question was written is an event of its own; the promise is settled by then.
      this.service.send(prompt, { images }).catch((error: unknown) => {
        stop();
        reject(error);
      });
    });
  }

  /** Everything that a client needs, as it is when this resolves. */
  async snapshot(readOnly: boolean, sequence: () => number): Promise<ChatSnapshot> {
    await this.#readMessages();
    const { project, sessionId, files } = this.service.state();
    return {
      project,
      ...(sessionId === undefined ? {} : { sessionId }),
      ...this.#messages(),
      files,
      streaming: this.#streaming,
      compacting: this.#isCompacting,
      status: this.service.status(),
      readOnly,
      sequence: sequence(),
    };
  }

  #follow(event: ChatEvent): void {
    if (event.type === 'asked') {
      this.#streaming = { requestId: event.requestId, text: '' };
      this.#add(shownMessage(event.message));
    }
    if (event.type === 'chunk') {
      this.#streaming = { requestId: event.requestId, text: (this.#streaming?.text ?? '') + event.text };
    }
    if (event.type === 'complete' || event.type === 'failed') this.#streaming = null;
    if (event.type === 'complete' && event.reply.message) this.#add(shownMessage(event.reply.message));
    if (event.type === 'compaction-start') this.#isCompacting = true;
    if (event.type === 'compaction-complete' || event.type === 'compaction-error') this.#isCompacting = false;
    if (event.type === 'compaction-complete' || event.type === 'session') {
      this.#version += 1;
      this.#shown = undefined;
    }
  }

  #add(message: LatestMessages['messages'][number]): void {
    this.#version += 1;
    if (this.#shown === undefined) return;
    this.#shown = latestMessages([...this.#shown.messages, message], this.#shown.earlier);
  }

  /** Reading takes a moment in which something may be said: then it is read again. */
  async #readMessages(): Promise<void> {
    while (this.#shown === undefined && this.#options.project.isRecording()) {
      const version = this.#version;
      const { sessionId } = this.service.state();
      const read = sessionId === undefined ? NOTHING : await this.#options.readMessages(sessionId);
      if (version === this.#version) this.#shown = read;
    }
  }

  #messages(): LatestMessages {
    const { sessionId, messages } = this.service.state();
    if (this.#options.project.isRecording()) return this.#shown ?? NOTHING;
    // Nothing is written down: only the service knows what was said.
    return latestMessages(
      messages.map(({ role, content }, index) => ({ id: `${sessionId}-${index}`, role, content })),
    );
  }
}
