import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AGENT_NAMES, type AgentName } from '../../agents/agent-name.ts';
import { tryReadText, writeFileAtomic } from '../../files/file-access.ts';
import { isObject, parseObject } from '../../record/object.ts';

/** What yore did not understand of an agent's transcripts and hook events, for one reason. */
export interface UnknownParts {
  /** For example `unknown line: sparkle`. */
  readonly reason: string;
  readonly count: number;
  /** A file that contains such a part, with `#` and the session if it holds many. */
  readonly path: string;
  /** When the last one was seen, in epoch milliseconds. */
  readonly lastAt: number;
  /** Set when nothing was recorded of a whole transcript or hook event. */
  readonly isWhole?: boolean;
}

/** The reason for a transcript in which other parts were found, but no message and no call. */
export const NOTHING_UNDERSTOOD = 'transcript without a message or call';

const VERSION = 1;
const MAX_REASONS = 50;
const MAX_AGE_MS = 7 * 24 * 3_600_000;

/** What was not understood of an agent in the last week, the latest first. Never throws. */
export function readUnknownParts(home: string, agent: AgentName, now: number): readonly UnknownParts[] {
  const { v, parts } = parseObject(tryReadText(filePath(home, agent)) ?? '') ?? {};
  if (v !== VERSION || !Array.isArray(parts)) return [];
  return parts.filter(isUnknownParts).filter(({ lastAt }) => lastAt > now - MAX_AGE_MS);
}

/** The agents of which whole transcripts or hook events were not understood in the last week, with an example each. */
export function listNotRecorded(home: string, now: number): readonly (UnknownParts & { readonly agent: AgentName })[] {
  return AGENT_NAMES.flatMap((agent) => {
    const example = readUnknownParts(home, agent, now).find(({ isWhole }) => isWhole);
    return example === undefined ? [] : [{ ...example, agent }];
  });
}

/** Adds what was not understood, unless there is no home. Counts may be lost when several processes do this at once. Never throws. */
export function addUnknownParts(home: string, agent: AgentName, added: readonly UnknownParts[], now: number): void {
  if (added.length === 0 || !existsSync(home)) return;
  const known = new Map(readUnknownParts(home, agent, now).map((parts) => [parts.reason, parts]));
  for (const parts of added) {
    known.set(parts.reason, { ...parts, count: parts.count + (known.get(parts.reason)?.count ?? 0) });
  }
  const parts = [...known.values()].sort((one, other) => other.lastAt - one.lastAt).slice(0, MAX_REASONS);
  try {
    writeParts(home, agent, parts);
  } catch {
    // The next time it is noticed again.
  }
}

/** Removes what was not understood of a transcript: its path may contain the id of a session, and reasons quote it. */
export function removeUnknownParts(home: string, path: string): void {
  for (const agent of AGENT_NAMES) {
    const known = readUnknownParts(home, agent, 0);
    const kept = known.filter((part) => part.path !== path);
    if (kept.length < known.length) writeParts(home, agent, kept);
  }
}

function writeParts(home: string, agent: AgentName, parts: readonly UnknownParts[]): void {
  writeFileAtomic(filePath(home, agent), JSON.stringify({ v: VERSION, parts }), { durable: false });
}

function filePath(home: string, agent: AgentName): string {
  return join(home, 'imports', `unknown-${agent}.json`);
}

function isUnknownParts(value: unknown): value is UnknownParts {
  if (!isObject(value)) return false;
  const { reason, count, path, lastAt } = value;
  return typeof reason === 'string' && typeof path === 'string' && [count, lastAt].every(Number.isSafeInteger);
}
