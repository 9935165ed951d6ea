import { createHash } from 'node:crypto';
import type { CallResult, ToolCall } from '../../facts/call/tool-call.ts';
import type { Home, Project, Recorder } from '../../project/index.ts';
import type { TypedPrompt } from '../../prompts/index.ts';
import type { Usage } from '../../record/index.ts';
import { omitUndefined } from '../../record/object.ts';
import { toAgentCall } from './agent-tools.ts';
import {
  type DemoCall,
  type DemoDecision,
  type DemoProject,
  type DemoSession,
  type DemoStep,
  readDemoImage,
  toText,
  type When,
} from './demo-data.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Tokens that an agent's own instructions take. */
const INSTRUCTION_TOKENS = 14_000;
/** Tokens that a call and its result add to the context, and that the model writes to make it. */
const CALL_TOKENS = 1400;
const CALL_OUTPUT_TOKENS = 260;
/** A model's context is compacted before it is longer. */
const MAX_CONTEXT_TOKENS = 60_000;

/** A clock that playing the demo moves. */
export interface DemoClock {
  now: number;
}

/** Where and when the demo is played. */
export interface Stage {
  readonly home: Home;
  readonly project: Project;
  /** The clock of `home`. */
  readonly clock: DemoClock;
  /** The present, to which the clock is set in the end. */
  readonly now: number;
}

/** What playing a history gave. */
export interface PlayedHistory {
  /** Times of the first and the last record, ISO 8601. */
  readonly first: string;
  readonly last: string;
  /** Where the guard or the memory did not do what the data expects; empty as long as all goes as written. */
  readonly mismatches: readonly string[];
}

/**
 * Plays sessions and decisions in order of time, through the recorder and the guard as hooks and the command line do: all
 * that yore derives from them is real.
 */
export function playHistory(history: Omit<DemoProject, 'files'>, stage: Stage): PlayedHistory {
  const { home, project, clock, now } = stage;
  const recorder = project.recorder();
  const prompts: TypedPrompt[] = [];
  const times: number[] = [];
  const mismatches: string[] = [];
  const inOrder = [...history.sessions, ...history.decisions].toSorted((a, b) => toTime(a, now) - toTime(b, now));
  for (const moment of inOrder) {
    clock.now = toTime(moment, now);
    times.push(clock.now);
    if ('steps' in moment) new SessionPlayer(moment, recorder, stage, { prompts, mismatches }).play();
    else mismatches.push(...decide(moment, project));
    times.push(clock.now);
  }
  clock.now = now;
  home.prompts.upsertAll(prompts);
  const [first = '', last = ''] = [Math.min(...times), Math.max(...times)].map((time) => new Date(time).toISOString());
  return { first, last, mismatches };
}

/** A UUID as agents make them, always the same for the same name. */
function toUuid(name: string): string {
  const hash = createHash('sha256').update(name).digest('hex');
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}

function decide(decision: DemoDecision, { memory }: Project): readonly string[] {
  if ('remember' in decision) {
    memory.remember(decision.remember, { avoid: decision.avoid === true, tags: decision.tags ?? [] });
    return [];
  }
  const [choice, what] =
    'pin' in decision ? (['pin', decision.pin] as const) : (['dismiss', decision.dismiss] as const);
  const failure = memory.failures({ all: true }).find((each) => each.what === what);
  if (failure === undefined) return [`${choice} "${what}": it did not fail`];
  memory.choose(choice, failure.id);
  return [];
}

/** What playing collects over all sessions. */
interface Collected {
  readonly prompts: TypedPrompt[];
  readonly mismatches: string[];
}

class SessionPlayer {
  readonly #session: DemoSession;
  readonly #recorder: Recorder;
  readonly #stage: Stage;
  readonly #collected: Collected;
  readonly #sessionId: string;
  #messageCount = 0;
  #callCount = 0;
  /** Calls since the last reply. */
  #turnCalls = 0;
  #contextTokens = INSTRUCTION_TOKENS;
  #filesModified = new Set<string>();

  constructor(session: DemoSession, recorder: Recorder, stage: Stage, collected: Collected) {
    this.#session = session;
    this.#recorder = recorder;
    this.#stage = stage;
    this.#collected = collected;
    this.#sessionId = session.id ?? toUuid(session.name);
  }

  play(): void {
    const { clock, now } = this.#stage;
    for (const step of this.#session.steps) {
      clock.now = Math.min(clock.now + toDuration(step), now);
      if ('user' in step) this.#ask(toText(step.user), step.images ?? []);
      else if ('assistant' in step) this.#reply(toText(step.assistant));
      else if ('compaction' in step) this.#compact(toText(step.compaction));
      else this.#call(step);
    }
  }

  #ask(text: string, images: readonly string[]): void {
    const { project, clock } = this.#stage;
    const { agent, parent } = this.#session;
    this.#recorder.notePrompt({ sessionId: this.#sessionId, text, timestamp: this.#timestamp(), agent });
    const message = { role: 'user', content: text, images: images.map(readDemoImage) } as const;
    project.history.append({ ...this.#messageHead(), ...message });
    this.#contextTokens += text.length;
    if (parent === undefined) {
      this.#collected.prompts.push({ text, project: project.info.projectHash, usedAt: clock.now });
    }
  }

  #reply(text: string): void {
    const { model } = this.#session;
    this.#stage.project.history.append({
      ...this.#messageHead(),
      role: 'assistant',
      content: text,
      ...(model === undefined ? {} : { model, usage: this.#nextUsage(text) }),
      filesModified: [...this.#filesModified],
    });
    this.#filesModified.clear();
  }

  #compact(summary: string): void {
    const checkpoint = { role: 'user', content: summary, kind: 'checkpoint' } as const;
    this.#stage.project.history.append({ ...this.#messageHead(), ...checkpoint });
    this.#contextTokens = INSTRUCTION_TOKENS + summary.length;
  }

  /** Asks the guard first, as hooks do before each call. */
  #call(call: DemoCall): void {
    const { name, branch = '' } = this.#session;
    const toolCall = this.#toToolCall(call);
    const expected = 'run' in call ? call.warning : undefined;
    const isWarned = this.#recorder.warn(toolCall) !== undefined;
    if (isWarned !== (expected !== undefined)) {
      const what = isWarned ? 'an unexpected warning' : 'no warning';
      this.#collected.mismatches.push(`${name}: ${what} for ${JSON.stringify(call)}`);
    }
    if (expected === 'heeded') return;
    this.#turnCalls++;
    this.#recorder.record(
      { ...toolCall, callId: this.#newId('call', this.#callCount++) },
      { durationMs: toDuration(call) - SECOND_MS, ...toResult(call, branch) },
    );
    if ('write' in call) this.#filesModified.add(call.write);
    if ('edit' in call) this.#filesModified.add(call.edit);
  }

  #toToolCall(call: DemoCall): ToolCall {
    const { agent, branch } = this.#session;
    return {
      ...toAgentCall(agent, call),
      sessionId: this.#sessionId,
      agent,
      timestamp: this.#timestamp(),
      ...omitUndefined({ branch }),
    };
  }

  #messageHead() {
    const { agent, branch, parent } = this.#session;
    return {
      id: this.#newId('message', this.#messageCount++),
      sessionId: this.#sessionId,
      timestamp: this.#timestamp(),
      agent,
      ...omitUndefined({ branch, parentSessionId: parent && toUuid(parent) }),
    };
  }

  /** The model is asked again after each call, and reads all that was said before, most of it from the provider's cache. */
  #nextUsage(text: string): Usage {
    const calls = this.#turnCalls;
    const cacheWriteTokens = calls * CALL_TOKENS + Math.ceil(text.length / 2);
    const cacheReadTokens = this.#contextTokens * (calls + 1) + (cacheWriteTokens * calls) / 2;
    const outputTokens = calls * CALL_OUTPUT_TOKENS + Math.ceil(text.length / 2);
    this.#contextTokens = Math.min(this.#contextTokens + cacheWriteTokens, MAX_CONTEXT_TOKENS);
    this.#turnCalls = 0;
    return { inputTokens: 40 + (text.length % 160), outputTokens, cacheReadTokens, cacheWriteTokens };
  }

  #timestamp(): string {
    return new Date(this.#stage.clock.now).toISOString();
  }

  #newId(kind: string, index: number): string {
    return toUuid(`${this.#session.name} ${kind} ${index}`);
  }
}

function toResult(call: DemoCall, branch: string): CallResult {
  if ('run' in call) {
    const { status, exitCode = 0 } = call;
    const output = toText(call.output ?? '');
    return status === undefined ? { status: exitCode === 0 ? 'ok' : 'error', exitCode, output } : { status, output };
  }
  if ('commit' in call) return { status: 'ok', exitCode: 0, output: toCommitOutput(call, branch) };
  if ('error' in call && call.error !== undefined) return { status: 'error', output: toText(call.error) };
  if ('read' in call) return { status: 'ok', output: `(${call.read})` };
  if ('edit' in call) return { status: 'ok', output: `Edited ${call.edit}` };
  if ('search' in call) return { status: 'ok', output: toText(call.output) };
  const lines = toText(call.content).split('\n').length;
  return { status: 'ok', output: toText(call.output ?? `Wrote ${lines} lines to ${call.write}`) };
}

function toCommitOutput({ commit, files }: Extract<DemoCall, { commit: string }>, branch: string): string {
  const hash = (commit.length * 2_654_435_761).toString(16).slice(0, 7).padStart(7, 'a');
  return `[${branch} ${hash}] ${commit}\n ${files} files changed, ${files * 17} insertions(+), ${files * 5} deletions(-)`;
}

function toTime(when: When, now: number): number {
  if ('minutesAgo' in when) return now - when.minutesAgo * MINUTE_MS;
  const [hours = 0, minutes = 0] = when.time.split(':').map(Number);
  return Math.floor(now / DAY_MS) * DAY_MS - when.daysAgo * DAY_MS + (hours * 60 + minutes) * MINUTE_MS;
}

/** Longer texts take longer; the same step always takes the same time. */
function toDuration(step: DemoStep): number {
  if ('user' in step) return (20 + toText(step.user).length / 4) * SECOND_MS;
  if ('assistant' in step) return (8 + toText(step.assistant).length / 40) * SECOND_MS;
  if ('compaction' in step) return 25 * SECOND_MS;
  return (4 + (JSON.stringify(step).length % 37)) * SECOND_MS;
}
