import type { CallResult } from '../../facts/call/tool-call.ts';
import { isObject } from '../../record/object.ts';
import { type FileEdit, isApplied, type Message } from '../../record/record.ts';

/** Edits between two readings of a transcript. Plain JSON, redacted. */
export interface EditsState {
  /** Edits by calls without a result so far, by the id of the call. */
  readonly open: readonly (readonly [callId: string, edits: readonly FileEdit[]])[];
  /** Edits that have no reply yet. */
  readonly unattached: readonly FileEdit[];
  /** The call that made the first of them. */
  readonly firstCall?: string;
}

/** More than any agent makes in parallel. */
const MAX_OPEN = 32;
/** Limits of one reply. Of further edits only the path is kept, of further files nothing. */
const MAX_DIFF_CHARACTERS = 24_000;
const MAX_FILES = 200;

/**
 * Collects the edits of a session and attaches them to the reply whose calls made them. A reply is held back until the
 * next message, because its calls and their results follow it. Edits of a reply without text go to the reply before it in
 * the same turn, else to the next one.
 */
export class ReplyEdits {
  readonly #open: Map<string, readonly FileEdit[]>;
  #unattached: FileEdit[];
  #firstCall: string | undefined;
  #reply: Message | undefined;
  /** The last reply was recorded before, with its edits. */
  #isKnown = false;

  constructor(state?: EditsState) {
    this.#open = new Map(state?.open);
    this.#unattached = [...(state?.unattached ?? [])];
    this.#firstCall = state?.firstCall;
  }

  /** The call that made the first edit without a reply; undefined when there is none. */
  get firstUnattached(): string | undefined {
    return this.#reply === undefined && this.#unattached.length > 0 ? this.#firstCall : undefined;
  }

  /** A call that changes files if it succeeds. */
  start(callId: string, edits: readonly FileEdit[]): void {
    if (edits.length === 0 || this.#isKnown) return;
    this.#open.set(callId, edits);
    const [oldest] = this.#open.keys();
    if (oldest !== undefined && this.#open.size > MAX_OPEN) this.#open.delete(oldest);
  }

  /** The call has ended. An edit that was not made for another reason than an error is none. */
  end(callId: string, status: CallResult['status']): void {
    const edits = this.#open.get(callId);
    if (edits === undefined) return;
    this.#open.delete(callId);
    const isDone = status === 'ok' || status === 'unknown';
    if (!isDone && status !== 'error' && status !== 'invalid') return;
    if (this.#unattached.length === 0) this.#firstCall = callId;
    this.#unattached.push(...(isDone ? edits : edits.map((edit) => ({ ...edit, status: 'failed' }))));
  }

  /** Holds a reply back. Release the previous one first. */
  hold(reply: Message): void {
    this.#reply = reply;
    this.#isKnown = false;
  }

  /** The reply that was held back, with its edits. */
  release(): Message | undefined {
    const reply = this.#reply;
    this.#reply = undefined;
    return reply === undefined ? undefined : this.attach(reply);
  }

  /** Like {@link release}, when a message of the user follows. */
  endTurn(): Message | undefined {
    this.#isKnown = false;
    return this.release();
  }

  /** The message with the edits so far, which are then no longer unattached. */
  attach(message: Message): Message {
    const edits = boundEdits(this.#unattached);
    this.#unattached = [];
    if (edits.length === 0) return message;
    const { filesModified = [], editResults = [] } = message;
    const isListed = ({ path, diff }: FileEdit): boolean =>
      diff === undefined && editResults.some((listed) => listed.path === path);
    const modified = [...new Set([...filesModified, ...edits.filter(isApplied).map(({ path }) => path)])];
    return {
      ...message,
      ...(modified.length === 0 ? {} : { filesModified: modified }),
      editResults: [...editResults, ...edits.filter((edit) => !isListed(edit))],
    };
  }

  /** The reply is recorded already, and so are its edits and those without a reply before it. */
  skipReply(): void {
    this.#unattached = [];
    this.#isKnown = true;
  }

  /** Undefined when there is nothing to store. */
  state(): EditsState | undefined {
    if (this.#open.size === 0 && this.#unattached.length === 0) return undefined;
    const firstCall = this.#firstCall === undefined ? {} : { firstCall: this.#firstCall };
    return { open: [...this.#open], unattached: this.#unattached, ...firstCall };
  }
}

/** Whether a stored state has the right form. */
export function isEditsState(value: unknown): boolean {
  return value === undefined || (isObject(value) && Array.isArray(value.open) && Array.isArray(value.unattached));
}

function boundEdits(edits: readonly FileEdit[]): readonly FileEdit[] {
  let left = MAX_DIFF_CHARACTERS;
  return edits.slice(0, MAX_FILES).map((edit) => {
    left -= edit.diff?.length ?? 0;
    const { diff: _, ...rest } = edit;
    return left < 0 ? rest : edit;
  });
}
