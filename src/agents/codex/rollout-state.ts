import {
  asFields,
  asInteger,
  asList,
  asName,
  asNumber,
  asObjects,
  asText,
  defined,
  type Fields,
} from '../transcript/fields.ts';
import type { CallFacts } from './call-output.ts';
import { type ForkGate, readGate } from './fork-gate.ts';

/** What the session said last of itself. */
interface KnownSession {
  readonly id: string;
  readonly cwd?: string;
  readonly model?: string;
}

/** A text that was told, of which a copy may follow: the same is written as an item and as an event. */
type ToldText = readonly [from: 'item' | 'event', role: 'user' | 'assistant', hash: number];

/** A call whose process goes on: its number, the call, and the beginning of what it wrote. */
type RunningCall = readonly [processId: string, callId: string, output: string];

/** The calls of a rollout that something may still be said about. */
export interface CallsState {
  /** Calls without a result, by the tool. */
  readonly open: readonly (readonly [callId: string, tool: string])[];
  readonly running: readonly RunningCall[];
  /** Calls that ask for more of a running process. */
  readonly looks: readonly (readonly [callId: string, processId: string])[];
  /** Calls that have a result. */
  readonly ended: readonly string[];
  readonly facts: readonly (CallFacts & { readonly callId: string })[];
}

/** What has to be known of the lines before, to go on in a rollout. */
export type RolloutState = {
  readonly session?: KnownSession;
  readonly gate?: ForkGate;
  readonly told: readonly ToldText[];
  readonly calls: CallsState;
  /** The tokens of the whole session when they were told last. */
  readonly tokens?: number;
};

const NO_CALLS: CallsState = { open: [], running: [], looks: [], ended: [], facts: [] };

const KEPT = 24;
const LONGEST_BEGINNING = 300;

/** Processes that run at a time; of each the beginning of its output is kept. */
export const MOST_RUNNING = 8;

/** The list with one more at its end, without the oldest. */
export function withNewest<T>(list: readonly T[], newest: T, kept: number = KEPT): readonly T[] {
  return [...list, newest].slice(-kept);
}

/** As much of an output as is kept while its process runs. */
export function beginningOf(output: string): string {
  return output.length <= LONGEST_BEGINNING ? output : `${output.slice(0, LONGEST_BEGINNING)}\n…\n`;
}

/** A state that was kept; what makes no sense in it is left out. */
export function readState(fields: Fields | undefined): RolloutState {
  return {
    told: asList(fields?.told).flatMap(readTold),
    calls: readCalls(asFields(fields?.calls)),
    ...defined({
      session: readSession(asFields(fields?.session)),
      gate: readGate(asFields(fields?.gate)),
      tokens: asNumber(fields?.tokens),
    }),
  };
}

function readCalls(fields: Fields | undefined): CallsState {
  if (!fields) return NO_CALLS;
  return {
    open: readPairs(fields.open),
    running: asList(fields.running).flatMap((item) => {
      const [processId, callId, output] = asList(item);
      const isWhole =
        typeof processId === 'string' && typeof callId === 'string' && typeof output === 'string';
      return isWhole ? [[processId, callId, output] as const] : [];
    }),
    looks: readPairs(fields.looks),
    ended: asList(fields.ended).flatMap((id) => asName(id) ?? []),
    facts: asObjects(fields.facts).flatMap((facts) => {
      const callId = asName(facts.callId);
      return callId === undefined ? [] : [{ callId, ...readFacts(facts) }];
    }),
  };
}

function readTold(value: unknown): readonly ToldText[] {
  const [from, role, hash] = asList(value);
  if ((from !== 'item' && from !== 'event') || (role !== 'user' && role !== 'assistant')) return [];
  return typeof hash === 'number' ? [[from, role, hash]] : [];
}

function readPairs(value: unknown): readonly (readonly [string, string])[] {
  return asList(value).flatMap((pair) => {
    const [first, second] = asList(pair);
    return typeof first === 'string' && typeof second === 'string' ? [[first, second] as const] : [];
  });
}

function readSession(fields: Fields | undefined): KnownSession | undefined {
  const id = asName(fields?.id);
  return id === undefined
    ? undefined
    : defined({ id, cwd: asText(fields?.cwd), model: asName(fields?.model) });
}

function readFacts(fields: Fields): CallFacts {
  return {
    ...defined({ exitCode: asInteger(fields.exitCode), durationMs: asNumber(fields.durationMs) }),
    ...(fields.isError === true ? { isError: true } : {}),
  };
}
