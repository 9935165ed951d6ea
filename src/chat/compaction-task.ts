import { toCompactionError } from '../context/compaction/history-compaction.ts';
import type { ContextManager } from '../context/context-manager.ts';
import type { ChatSession } from './chat-session.ts';
import type { ChatEvent } from './reply.ts';

interface CompactionTaskOptions {
  readonly context: ContextManager;
  readonly log: ChatSession;
  readonly emit: (event: ChatEvent) => void;
  /** How long after a reply the history is compacted. */
  readonly delayMs: number;
}

/** Compacts the history in the background, shortly after a reply, so that nobody waits for it. */
export class CompactionTask {
  readonly #options: CompactionTaskOptions;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<boolean> | undefined;

  constructor(options: CompactionTaskOptions) {
    this.#options = options;
  }

  /** Schedules a compaction if the history is too long. */
  schedule(): void {
    this.unschedule();
    if (!this.#options.context.shouldCompact()) return;
    this.#timer = setTimeout(() => void this.run(), this.#options.delayMs);
  }

  unschedule(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Runs a scheduled compaction now and waits for a running one. */
  async finish(): Promise<void> {
    if (this.#timer !== undefined) await this.run();
    await this.#running;
  }

  /** Compacts the history. Resolves to false if nothing was removed. Never rejects. */
  run(options: { readonly force?: boolean } = {}): Promise<boolean> {
    this.unschedule();
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
      const result = await context.compactIfNeeded(options);
      const turns = context.getHistory();
      const complete = { type: 'compaction-complete', sessionId, turns } as const;
      if (result === undefined || result.case === 'none') {
        emit({ ...complete, case: 'none', tokensBefore: before, tokensAfter: before, summary: '' });
        return false;
      }
      const { summary, tokensBefore, tokensAfter } = result;
      // The first turn exactly as it is sent, so that a restart sends the same bytes.
      const pair = result.case === 'summarise' ? { text: turns[0]?.content ?? '', turns: 2 } : { text: '', turns: 0 };
      log.compact(sessionId, result.removed, pair);
      emit({ ...complete, case: result.case, tokensBefore, tokensAfter, summary });
      return true;
    } catch (cause) {
      emit({ type: 'compaction-error', sessionId, error: toCompactionError(cause) });
      return false;
    }
  }
}
