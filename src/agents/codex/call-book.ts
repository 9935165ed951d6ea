import type { CallResult } from '../../memory/index.ts';
import { asName, asNumber, defined, type Fields } from '../transcript/fields.ts';
import { skip } from '../transcript/skip.ts';
import type { SkipEvent } from '../transcript/transcript-event.ts';
import { type CallFacts, type CallOutput, callOutput } from './call-output.ts';
import { beginningOf, type CallsState, MOST_RUNNING, withNewest } from './rollout-state.ts';

/** What became of a call, or why nothing is made of what was said about one. */
export type CallNews =
  | SkipEvent
  | { readonly type: 'ended'; readonly callId: string; readonly result: CallResult };

/** Follows the calls of a rollout to their results, which are told in several places, or much later. */
export class CallBook {
  #state: CallsState;

  constructor(state: CallsState) {
    this.#state = state;
  }

  state(): CallsState {
    return this.#state;
  }

  isKnown(callId: string): boolean {
    const { open, running, ended } = this.#state;
    return (
      ended.includes(callId) ||
      open.some(([id]) => id === callId) ||
      running.some((call) => call[1] === callId)
    );
  }

  start(callId: string, tool: string, input: Fields): void {
    this.#change({ open: withNewest(this.#state.open, [callId, tool] as const) });
    const processId = tool === 'write_stdin' ? processOf(input) : undefined;
    if (processId === undefined) return;
    this.#change({ looks: withNewest(this.#state.looks, [callId, processId] as const) });
  }

  /** What a call put out. */
  output(callId: string, output: unknown): readonly CallNews[] {
    const { open, running, facts, looks, ended } = this.#state;
    if (ended.includes(callId)) return [skip('second result of a call')];
    const tool = open.find(([id]) => id === callId)?.[1];
    const known = facts.find((fact) => fact.callId === callId);
    const found = callOutput(output, tool, known);
    const processId = looks.find(([id]) => id === callId)?.[1];
    if (processId !== undefined) return this.#look(callId, processId, found);
    if (found.kind === 'ended') return [this.end(callId, found.result)];
    if (known?.exitCode !== undefined) return [this.end(callId, resultOf(known, found.output))];
    const started = [found.processId, callId, beginningOf(found.output)] as const;
    this.#change({ running: withNewest(running, started, MOST_RUNNING), open: without(open, callId) });
    return [skip('call that goes on in the background')];
  }

  /** More of a running process: if it ended, the call that started it did. */
  #look(callId: string, processId: string, found: CallOutput): readonly CallNews[] {
    if (found.kind === 'running') return [this.end(callId, { status: 'ok', output: found.output })];
    const { result } = found;
    if (result.exitCode === undefined) return [this.end(callId, result)];
    // That the process failed is told of the call that started it, how long this look took is not.
    const look = this.end(callId, { status: 'ok', output: result.output ?? '' });
    const started = this.#state.running.find(([id]) => id === processId);
    if (!started) return [look];
    const { status, exitCode } = result;
    return [this.end(started[1], { status, exitCode, output: started[2] + (result.output ?? '') }), look];
  }

  /** An event says how a call ended; what it put out is told by the item that follows, if one does. */
  note(callId: string, facts: CallFacts, output = ''): readonly CallNews[] {
    if (this.#state.running.some((call) => call[1] === callId))
      return [this.end(callId, resultOf(facts, output))];
    if (this.#state.open.some(([id]) => id === callId)) {
      this.#change({ facts: withNewest(this.#state.facts, { callId, ...facts }) });
    }
    return [skip('copy of a result')];
  }

  /** The user stopped the turn: what was under way did not end by itself. Processes in the background go on. */
  abort(): readonly CallNews[] {
    return this.#state.open.map(([callId]) => this.end(callId, { status: 'interrupted' }));
  }

  end(callId: string, result: CallResult): CallNews {
    const { open, running, looks, facts, ended } = this.#state;
    this.#state = {
      open: without(open, callId),
      running: running.filter((call) => call[1] !== callId),
      looks: without(looks, callId),
      facts: facts.filter((fact) => fact.callId !== callId),
      ended: withNewest(ended, callId),
    };
    return { type: 'ended', callId, result };
  }

  #change(change: Partial<CallsState>): void {
    this.#state = { ...this.#state, ...change };
  }
}

/** The result that facts tell. */
export function resultOf({ exitCode, durationMs, isError }: CallFacts, output: string): CallResult {
  const isFailed = isError === true || (exitCode !== undefined && exitCode !== 0);
  return { status: isFailed ? 'error' : 'ok', output, ...defined({ exitCode, durationMs }) };
}

function without(list: CallsState['open'], callId: string): CallsState['open'] {
  return list.filter(([id]) => id !== callId);
}

function processOf(input: Fields): string | undefined {
  const number = asNumber(input.session_id);
  return number === undefined ? asName(input.session_id) : String(number);
}
