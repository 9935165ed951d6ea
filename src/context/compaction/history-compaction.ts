import { reasonOf, YoreError } from '../../record/error.ts';
import { omitUndefined } from '../../record/object.ts';
import type { TurnList } from '../turns/turn-list.ts';
import type { Compaction, CompactionEvent } from './compaction.ts';
import type { Compactor } from './compactor.ts';

/** Options of a single compaction. */
export interface CompactOptions {
  /** Also compacts a history that is not too long, or when compaction is disabled. Default: false. */
  readonly force?: boolean;
  /** The session that is compacted. Every event carries it, because another session may be current by then. */
  readonly sessionId?: string;
}

interface HistoryCompactionOptions {
  readonly turns: TurnList;
  readonly compactor: Pick<Compactor, 'shouldCompact' | 'compact'>;
  readonly emit: (event: CompactionEvent) => void;
  /** Called right after the turns were replaced. */
  readonly onReplaced: () => void;
}

/**
 * Compacts a turn list that stays in use meanwhile, one compaction at a time. Turns that are added while it runs stay at
 * the end of the result. If the turns are replaced or cleared while it runs, the result is discarded.
 */
export class HistoryCompaction {
  readonly #options: HistoryCompactionOptions;
  #running: Promise<Compaction> | undefined;
  #hasFailed = false;

  constructor(options: HistoryCompactionOptions) {
    this.#options = options;
  }

  /** Whether the last compaction of this history failed or left it above the trigger. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Call it when the history is replaced by another one. */
  forgetFailure(): void {
    this.#hasFailed = false;
  }

  /** Compacts now, or joins a running compaction. When it fails, rejects with a YoreError and leaves the turns alone. */
  run(options: CompactOptions): Promise<Compaction> {
    // Starts asynchronously, so that a listener that calls this again at the start event joins it.
    this.#running ??= Promise.resolve()
      .then(() => this.#compact(options))
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  async #compact({ force = false, sessionId }: CompactOptions): Promise<Compaction> {
    const { turns, compactor, emit } = this.#options;
    const session = omitUndefined({ sessionId });
    const before = turns.all();
    const { generation } = turns;
    const tokensBefore = turns.tokens();
    // A call below the trigger has a reason: a model with a small window, or a user who asked for it.
    const isForced = force || !compactor.shouldCompact(tokensBefore);
    emit({ type: 'compaction-start', messages: before.length, tokensBefore, ...session });
    try {
      const compaction = await compactor.compact(before, { force: isForced });
      const result = this.#apply(compaction, before.length, generation);
      emit({ ...completeEvent(result, tokensBefore, turns), ...session });
      return result;
    } catch (cause) {
      const error = toCompactionError(cause);
      if (turns.generation === generation) this.#hasFailed = true;
      emit({ type: 'compaction-error', error, ...session });
      throw error;
    }
  }

  #apply(compaction: Compaction, compacted: number, generation: number): Compaction {
    const { turns, onReplaced } = this.#options;
    if (turns.generation !== generation) return { case: 'none' };
    this.#hasFailed = compaction.problem !== undefined;
    if (compaction.case === 'none') return compaction;
    turns.replace([...compaction.turns, ...turns.all().slice(compacted)]);
    onReplaced();
    return compaction;
  }
}

function completeEvent(compaction: Compaction, tokensBefore: number, turns: TurnList): CompactionEvent {
  const isDone = compaction.case !== 'none';
  return {
    type: 'compaction-complete',
    case: compaction.case,
    messages: turns.all(),
    removed: isDone ? compaction.removed : 0,
    tokensBefore,
    tokensAfter: turns.tokens(),
    summary: isDone ? compaction.summary : '',
    ...omitUndefined({ problem: compaction.problem }),
  };
}

/** What an application is told when a compaction failed. */
export function toCompactionError(cause: unknown): YoreError {
  if (cause instanceof YoreError) return cause;
  const message = `The history could not be compacted: ${reasonOf(cause)}. It is unchanged; the next compaction tries again.`;
  return new YoreError('MODEL', message, { cause });
}

/** Receives events. An exception in a listener stops neither the others nor the operation that emits them. */
export type Listener<Event> = (event: Event) => void;

/** Delivers events of one kind to listeners. */
export class Emitter<Event> {
  readonly #listeners = new Set<{ readonly listener: Listener<Event> }>();

  /** Adds a listener. Returns a function that removes it. */
  on(listener: Listener<Event>): () => void {
    // Wrapped, so that the same function added twice can be removed once.
    const entry = { listener };
    this.#listeners.add(entry);
    return () => {
      this.#listeners.delete(entry);
    };
  }

  /** Calls all listeners in the order in which they were added. */
  emit(event: Event): void {
    for (const { listener } of [...this.#listeners]) {
      try {
        listener(event);
      } catch {
        // Listeners display things; a failing one must not cost a history.
      }
    }
  }
}
