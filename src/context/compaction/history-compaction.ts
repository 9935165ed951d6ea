import { YoreError } from '../../record/index.ts';
import type { TurnList } from '../turns/turn-list.ts';
import type { Compaction, CompactionEvent } from './compaction.ts';
import type { Compactor } from './compactor.ts';

/** How a compaction is asked for. */
export interface CompactOptions {
  /** Also when the history is not too long, or compaction is turned off. Default: false. */
  readonly force?: boolean;
  /** The session that is compacted; given back with every event, as another may be current by then. */
  readonly sessionId?: string;
}

/** What a {@link HistoryCompaction} works on. */
interface HistoryCompactionOptions {
  readonly turns: TurnList;
  readonly compactor: Pick<Compactor, 'shouldCompact' | 'compact'>;
  readonly emit: (event: CompactionEvent) => void;
  /** Called right after the turns were replaced. */
  readonly onReplaced: () => void;
}

/**
 * Compacts a turn list that goes on being used meanwhile, one compaction at a time. Turns that are added while it runs
 * stay at the end of the result. When the turns are replaced or cleared while it runs, its result is for a history that
 * no longer exists and is dropped.
 */
export class HistoryCompaction {
  readonly #options: HistoryCompactionOptions;
  #running: Promise<Compaction> | undefined;
  #hasFailed = false;

  constructor(options: HistoryCompactionOptions) {
    this.#options = options;
  }

  /** Did the last compaction of this history fail, or leave it above the trigger? */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** The history is another one: what failed before says nothing of it. */
  forgetFailure(): void {
    this.#hasFailed = false;
  }

  /** Compacts now, or joins what is under way. Rejects with a YoreError, and leaves the turns alone, when it fails. */
  run(options: CompactOptions): Promise<Compaction> {
    // Begun a moment later: a listener that asks again when it hears of the start joins it.
    this.#running ??= Promise.resolve()
      .then(() => this.#compact(options))
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  async #compact({ force = false, sessionId }: CompactOptions): Promise<Compaction> {
    const { turns, compactor, emit } = this.#options;
    const session = sessionId === undefined ? {} : { sessionId };
    const before = turns.all();
    const { generation } = turns;
    const tokensBefore = turns.tokens();
    // Whoever asks although the trigger is not reached has a reason: a model that reads less, or a user who insists.
    const isForced = force || !compactor.shouldCompact(tokensBefore);
    emit({ type: 'compaction-start', messages: before.length, tokensBefore, ...session });
    try {
      const compaction = await compactor.compact(before, { force: isForced });
      const result = this.#apply(compaction, before.length, generation);
      emit({ ...completion(result, tokensBefore, turns), ...session });
      return result;
    } catch (cause) {
      const error = compactionError(cause);
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

function completion(compaction: Compaction, tokensBefore: number, turns: TurnList): CompactionEvent {
  const isDone = compaction.case !== 'none';
  return {
    type: 'compaction-complete',
    case: compaction.case,
    messages: turns.all(),
    removed: isDone ? compaction.removed : 0,
    tokensBefore,
    tokensAfter: turns.tokens(),
    summary: isDone ? compaction.summary : '',
    ...(compaction.problem === undefined ? {} : { problem: compaction.problem }),
  };
}

function compactionError(cause: unknown): YoreError {
  if (cause instanceof YoreError) return cause;
  const detail = cause instanceof Error ? cause.message : String(cause);
  const message = `The history could not be compacted: ${detail}. It stays as it is; the next compaction tries again.`;
  return new YoreError('MODEL', message, { cause });
}

/** Gets told what happens. What it throws is its own affair: it stops neither the others nor what is under way. */
export type Listener<Event> = (event: Event) => void;

/** Those who want to know of events of one kind. */
export class Listeners<Event> {
  readonly #listeners = new Set<{ readonly tell: Listener<Event> }>();

  /** Tells a listener of everything from now on. Returns a function that ends it. */
  on(listener: Listener<Event>): () => void {
    // An object of its own for each call, so that ending one does not end another of the same function.
    const held = { tell: listener };
    this.#listeners.add(held);
    return () => {
      this.#listeners.delete(held);
    };
  }

  /** Tells all listeners, in the order in which they came. */
  emit(event: Event): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener.tell(event);
      } catch {
        // A listener shows things; that it fails must not lose a history.
      }
    }
  }
}
