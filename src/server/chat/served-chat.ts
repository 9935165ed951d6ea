import type { ChatEvent, ChatService } from '../../chat/index.ts';
import type { Project } from '../../project/index.ts';
import { byteSize, LARGEST_ANSWER } from '../answer-size.ts';
import type { ChatSnapshot, ChatStatus, ShownMessage, StreamingReply } from '../rpc/api.ts';
import { chatNotice, type UnplacedNotice } from './chat-notice.ts';
import { shownMessages } from './shown-messages.ts';

/** Most messages of a snapshot. */
const MOST_MESSAGES = 200;

/** The chat of one project, with what a client that connects in the middle of it has to know. */
export class ServedChat {
  readonly service: ChatService;
  readonly #project: Project;
  #streaming: StreamingReply | null = null;
  #isCompacting = false;

  constructor(service: ChatService, project: Project, tell: (notice: UnplacedNotice) => void) {
    this.service = service;
    this.#project = project;
    service.on((event) => {
      const offset = this.#streaming?.text.length ?? 0;
      this.#follow(event);
      tell(chatNotice(event, offset));
    });
  }

  get projectId(): string {
    return this.#project.info.projectHash;
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

  /** Everything that a client needs, as it is now. */
  snapshot(options: { readonly readOnly: boolean; readonly sequence: number }): ChatSnapshot {
    const { project, sessionId, files } = this.service.state();
    const all = this.#messages(sessionId);
    const messages = latest(all);
    return {
      project,
      ...(sessionId === undefined ? {} : { sessionId }),
      messages,
      earlier: all.length - messages.length,
      files,
      streaming: this.#streaming,
      compacting: this.#isCompacting,
      status: this.status(),
      ...options,
    };
  }

  status(): ChatStatus {
    const { sessionId, cacheHitRate, tiers, ...status } = this.service.status();
    return {
      ...status,
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(cacheHitRate === undefined ? {} : { cacheHitRate }),
      ...(tiers === undefined ? {} : { tiers }),
    };
  }

  #follow(event: ChatEvent): void {
    if (event.type === 'asked') this.#streaming = { requestId: event.requestId, text: '' };
    if (event.type === 'chunk') {
      this.#streaming = { requestId: event.requestId, text: (this.#streaming?.text ?? '') + event.text };
    }
    if (event.type === 'complete' || event.type === 'failed') this.#streaming = null;
    if (event.type === 'compaction-start') this.#isCompacting = true;
    if (event.type === 'compaction-complete' || event.type === 'compaction-error') this.#isCompacting = false;
  }

  #messages(sessionId: string | undefined): readonly ShownMessage[] {
    if (sessionId === undefined) return [];
    if (this.#project.isRecording()) {
      return shownMessages(this.#project.history.getSessionRecords(sessionId).messages);
    }
    // Nothing is written down: only the service knows what was said.
    return this.service.state().messages.map(({ role, content }, index) => ({
      id: `${sessionId}-${index}`,
      role,
      content,
    }));
  }
}

/** The latest messages that one answer may hold; the last one always. */
function latest(messages: readonly ShownMessage[]): readonly ShownMessage[] {
  let bytes = 0;
  let first = messages.length;
  for (let at = messages.length - 1; at >= Math.max(0, messages.length - MOST_MESSAGES); at--) {
    bytes += byteSize(messages[at]);
    if (bytes > LARGEST_ANSWER && at < messages.length - 1) break;
    first = at;
  }
  return messages.slice(first);
}
