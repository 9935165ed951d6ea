import { createHash } from 'node:crypto';
import type { NewMessage } from '../../history/index.ts';
import type { ToolCall } from '../../memory/index.ts';
import type { Home, Project, Recorder } from '../../project/index.ts';
import type { TypedPrompt } from '../../prompts/index.ts';
import type { Usage } from '../../record/index.ts';
import { toolCallOf } from './agent-tools.ts';
import type { Deed, DemoDecision, DemoSession, Moment, Step, When } from './script.ts';
import type { StoryClock } from './story.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

type MessageHead = Pick<
  NewMessage,
  'id' | 'sessionId' | 'timestamp' | 'agent' | 'branch' | 'parentSessionId'
>;

/** Where and when moments are played. */
export interface Stage {
  readonly home: Home;
  readonly project: Project;
  /** The clock of the home, which playing moves. */
  readonly clock: StoryClock;
  readonly now: number;
}

/** What became of it. */
export interface PlayedMoments {
  /** When the first and the last of it was, ISO 8601. */
  readonly first: string;
  readonly last: string;
  /** Where the guard or the memory did otherwise than the script says; empty as long as the story holds. */
  readonly surprises: readonly string[];
}

/**
 * Plays what happens in a project, in the order of time, as hooks and a person at the command line would record it: all
 * that yore derives from it is real.
 */
export function playMoments(moments: readonly Moment[], stage: Stage): PlayedMoments {
  const { home, project, clock, now } = stage;
  const recorder = project.recorder();
  const prompts: TypedPrompt[] = [];
  const times: number[] = [];
  const surprises: string[] = [];
  const inOrder = moments.toSorted((a, b) => timeOf(a.when, now) - timeOf(b.when, now));
  for (const moment of inOrder) {
    clock.now = timeOf(moment.when, now);
    times.push(clock.now);
    if (moment.type === 'session') new SessionPlay(moment, recorder, stage, { prompts, surprises }).play();
    else surprises.push(...decide(moment, project));
    times.push(clock.now);
  }
  recorder.close();
  clock.now = now;
  home.prompts.upsertAll(prompts);
  const [first, last] = [Math.min(...times), Math.max(...times)].map((time) => new Date(time).toISOString());
  return { first: first ?? '', last: last ?? '', surprises };
}

/** Returns what did not go as it should. */
function decide(decision: DemoDecision, { memory }: Project): readonly string[] {
  if (decision.type === 'remembers') {
    memory.remember(decision.text, { avoid: decision.avoid, tags: decision.tags });
    return [];
  }
  const failure = memory.failures({ all: true }).find(({ what }) => what === decision.what);
  if (failure === undefined) return [`${decision.type} "${decision.what}": it did not fail`];
  memory.choose(decision.type, failure.id);
  return [];
}

/** What is noted while sessions are played. */
interface PlayNotes {
  readonly prompts: TypedPrompt[];
  readonly surprises: string[];
}

/** One session while it is played. */
class SessionPlay {
  readonly #session: DemoSession;
  readonly #recorder: Recorder;
  readonly #stage: Stage;
  readonly #notes: PlayNotes;
  readonly #sessionId: string;
  #messages = 0;
  #calls = 0;
  #read = 6000;
  #changed: string[] = [];

  constructor(session: DemoSession, recorder: Recorder, stage: Stage, notes: PlayNotes) {
    this.#session = session;
    this.#recorder = recorder;
    this.#stage = stage;
    this.#notes = notes;
    this.#sessionId = idOf(session.name);
  }

  play(): void {
    const { clock, now } = this.#stage;
    for (const step of this.#session.steps) {
      clock.now = Math.min(clock.now + durationOf(step), now);
      this.#take(step);
    }
  }

  #take(step: Step): void {
    switch (step.type) {
      case 'asks':
        this.#ask(step.text, step.images);
        break;
      case 'says':
        this.#say(step.text);
        break;
      case 'calls':
        this.#warn(step.deed, step.isWarned);
        this.#recorder.record(
          { ...this.#call(step.deed), callId: this.#newId('call', this.#calls++) },
          { durationMs: durationOf(step) - SECOND, ...step.result },
        );
        if (step.deed.does === 'write' || step.deed.does === 'edit') this.#changed.push(step.deed.path);
        break;
      case 'heeds':
        this.#warn(step.deed, true);
        break;
      case 'compacts':
        this.#compact(step.summary);
        break;
    }
  }

  #ask(text: string, images: readonly string[]): void {
    const { project, clock } = this.#stage;
    const timestamp = new Date(clock.now).toISOString();
    const { agent, parent } = this.#session;
    this.#recorder.hear({ sessionId: this.#sessionId, text, timestamp, agent });
    project.history.append({ ...this.#head(timestamp), role: 'user', content: text, images });
    this.#read += text.length;
    if (parent === undefined) {
      this.#notes.prompts.push({ text, project: project.info.projectHash, usedAt: clock.now });
    }
  }

  #say(text: string): void {
    const { project, clock } = this.#stage;
    const { model } = this.#session;
    project.history.append({
      ...this.#head(new Date(clock.now).toISOString()),
      role: 'assistant',
      content: text,
      ...(model === undefined ? {} : { model, usage: this.#usage(text) }),
      filesModified: [...new Set(this.#changed)],
    });
    this.#changed = [];
  }

  #compact(summary: string): void {
    const { project, clock } = this.#stage;
    const head = this.#head(new Date(clock.now).toISOString());
    project.history.append({ ...head, role: 'user', content: summary, kind: 'checkpoint' });
    this.#read = 6000 + summary.length;
  }

  #head(timestamp: string): MessageHead {
    const { agent, branch, parent } = this.#session;
    return {
      id: this.#newId('message', this.#messages++),
      sessionId: this.#sessionId,
      timestamp,
      agent,
      ...(branch === undefined ? {} : { branch }),
      ...(parent === undefined ? {} : { parentSessionId: idOf(parent) }),
    };
  }

  /** Each answer reads what was said before, most of it from the provider's cache. */
  #usage(text: string): Usage {
    const cacheReadTokens = this.#read;
    const written = 200 + this.#calls * 150 + Math.ceil(text.length / 4);
    this.#read += written;
    return {
      inputTokens: 12 + (text.length % 80),
      outputTokens: Math.ceil(text.length / 4),
      cacheReadTokens,
      cacheWriteTokens: written,
    };
  }

  #call(deed: Deed): ToolCall {
    const { agent, branch } = this.#session;
    return {
      ...toolCallOf(agent, deed),
      sessionId: this.#sessionId,
      agent,
      timestamp: new Date(this.#stage.clock.now).toISOString(),
      ...(branch === undefined ? {} : { branch }),
    };
  }

  /** As hooks do before each call. */
  #warn(deed: Deed, isExpected: boolean): void {
    const isWarned = this.#recorder.warn(this.#call(deed)) !== undefined;
    if (isWarned === isExpected) return;
    const what = isWarned ? 'an unexpected warning' : 'no warning';
    this.#notes.surprises.push(`${this.#session.name}: ${what} for ${JSON.stringify(deed)}`);
  }

  #newId(kind: string, number: number): string {
    return idOf(`${this.#session.name} ${kind} ${number}`);
  }
}

function timeOf(when: When, now: number): number {
  if ('minutesAgo' in when) return now - when.minutesAgo * MINUTE;
  const [hours = 0, minutes = 0] = when.time.split(':').map(Number);
  return Math.floor(now / DAY) * DAY - when.daysAgo * DAY + (hours * 60 + minutes) * MINUTE;
}

/** Longer texts take longer; the same ones always the same. */
function durationOf(step: Step): number {
  switch (step.type) {
    case 'asks':
      return (20 + step.text.length / 4) * SECOND;
    case 'says':
      return (8 + step.text.length / 40) * SECOND;
    case 'calls':
    case 'heeds':
      return (4 + (JSON.stringify(step.deed).length % 37)) * SECOND;
    case 'compacts':
      return 25 * SECOND;
  }
}

/** An id as agents make them, always the same for the same name. */
function idOf(name: string): string {
  const hash = createHash('sha256').update(name).digest('hex');
  return [8, 4, 4, 4, 12]
    .reduce<{ parts: string[]; at: number }>(
      ({ parts, at }, length) => ({ parts: [...parts, hash.slice(at, at + length)], at: at + length }),
      { parts: [], at: 0 },
    )
    .parts.join('-');
}
