import type { ChatNotification, ChatSnapshot, ChatStatus, DisplayMessage } from '../../src/server/rpc/api.ts';
import { PROJECT } from './fake-history.ts';

type Unnumbered = ChatNotification extends infer Each
  ? Each extends unknown
    ? Omit<Each, 'project' | 'sequence'>
    : never
  : never;

/** A chat whose replies are written by the test. */
export class FakeChat {
  messages: DisplayMessage[] = [];
  streaming: { requestId: string; text: string } | null = null;
  isCompacting = false;
  files: string[] = [];
  percent = 40;
  isReadOnly = false;
  tiers: ChatStatus['tiers'];
  sessionId: string | undefined;
  #sequence = 0;
  readonly #emit: (event: ChatNotification) => void;

  constructor(emit: (event: ChatNotification) => void) {
    this.#emit = emit;
  }

  ask(prompt: string): string {
    const requestId = `request-${this.messages.length}`;
    const message: DisplayMessage = { id: `asked-${this.messages.length}`, role: 'user', content: prompt };
    this.messages.push(message);
    this.streaming = { requestId, text: '' };
    this.emit({ type: 'asked', requestId, message });
    return requestId;
  }

  say(text: string): void {
    if (this.streaming === null) throw new Error('Nobody has asked.');
    const { requestId, text: before } = this.streaming;
    this.streaming = { requestId, text: before + text };
    this.emit({ type: 'chunk', requestId, text, offset: before.length });
  }

  end(): void {
    if (this.streaming === null) throw new Error('Nobody has asked.');
    const { requestId, text } = this.streaming;
    const message: DisplayMessage = { id: `said-${this.messages.length}`, role: 'assistant', content: text };
    this.messages.push(message);
    this.streaming = null;
    this.emit({ type: 'complete', reply: { requestId, text, cancelled: false, message } });
  }

  emit(event: Unnumbered): void {
    this.#sequence += 1;
    this.#emit({ ...event, project: PROJECT, sequence: this.#sequence } as ChatNotification);
  }

  snapshot(): ChatSnapshot {
    return {
      project: { id: PROJECT, name: 'shop', root: '/home/somebody/shop' },
      messages: this.messages,
      earlier: 0,
      files: this.files,
      streaming: this.streaming,
      compacting: this.isCompacting,
      status: this.status(),
      readOnly: this.isReadOnly,
      sequence: this.#sequence,
      ...(this.sessionId === undefined ? {} : { sessionId: this.sessionId }),
    };
  }

  status(): ChatStatus {
    return {
      responder: 'memory',
      messageCount: this.messages.length,
      historyTokens: this.percent * 320,
      maxInputTokens: 200_000,
      remainingTokens: 150_000,
      compaction: { enabled: true, triggerTokens: 32_000, percent: this.percent },
      files: this.files.map((path) => ({ path, tokens: 1200 })),
      ...(this.tiers === undefined ? {} : { tiers: this.tiers }),
    };
  }
}
