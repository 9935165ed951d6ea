import type { ContextManager } from '../context/context-manager.ts';
import { YoreError } from '../record/index.ts';
import type { ChatEvent } from './chat-event.ts';
import type { SessionLog } from './session-log.ts';

/** What a {@link CompactionTask} works on. */
export interface CompactionTaskOptions {
  readonly context: ContextManager;
  readonly log: SessionLog;
  readonly emit: (event: ChatEvent) => void;
  /** How long after a reply. */
  readonly delayMs: number;
}

/** Shortens the history in the background: once after a reply, a moment later, so that nobody waits for it. */
export class CompactionTask {
  readonly #options: CompactionTaskOptions;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<boolean> | undefined;

  constructor(options: CompactionTaskOptions) {
    this.#options = options;
  }

  /** Shortens the history in a moment, if it is too long then. */
  schedule(): void {
    this.forget();
    if (!this.#options.context.shouldCompact()) return;
    this.#timer = setTimeout(() => void this.run(), this.#options.delayMs);
  }

  /** What is scheduled is not done. */
  forget(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Does now what is scheduled, and waits for what is under way. */
  async settle(): Promise<void> {
    if (this.#timer !== undefined) await this.run();
    await this.#running;
  }

  /** Shortens the history. False when nothing was done; never rejects. */
  run(options: { readonly force?: boolean } = {}): Promise<boolean> {
    this.forget();
    this.#running ??= this.#compact(options).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #compact(options: { readonly force?: boolean }): Promise<boolean> {
    const { context, log, emit } = this.#options;
    const { sessionId } = log;
    if (sessionId === undefined || (options.force !== true && !context.shouldCompact())) return false;
    emit({ type: 'compaction-start', sessionId });
    try {
      const before = context.getTokenBudget().historyTokens;
      const done = await context.compactIfNeeded(options);
      const turns = context.getHistory();
      const complete = { type: 'compaction-complete', sessionId, turns } as const;
      if (done === undefined || done.case === 'none') {
        emit({ ...complete, case: 'none', tokensBefore: before, tokensAfter: before, summary: '' });
        return false;
      }
      const { summary, tokensBefore, tokensAfter } = done;
      // The first turn as it is sent, so that a restart sends the same.
      const pair =
        done.case === 'summarise' ? { text: turns[0]?.content ?? '', turns: 2 } : { text: '', turns: 0 };
      log.compact(sessionId, done.removed, pair);
      emit({ ...complete, case: done.case, tokensBefore, tokensAfter, summary });
      return true;
    } catch (cause) {
      const detail = cause instanceof Error ? cause.message : String(cause);
      const error = new YoreError('MODEL', `The history could not be shortened: ${detail}`, { cause });
      emit({ type: 'compaction-error', sessionId, error });
      return false;
    }
  }
}
