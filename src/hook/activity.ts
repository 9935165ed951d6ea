import { appendFileSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AGENT_NAMES, type AgentName } from '../agents/agent-name.ts';
import { errorCode, writeFileAtomic } from '../files/index.ts';

/** What an agent's hooks did lately. */
export interface HookActivity {
  readonly agent: AgentName;
  /** When the last event came, epoch milliseconds. */
  readonly lastAt: number;
  /** Its type, e.g. `beforeCall`. */
  readonly lastEvent: string;
  /** Milliseconds that the last events took, from the start of the process to its answer; by type, oldest first. */
  readonly durations: Readonly<Record<string, readonly number[]>>;
}

/** Of each type. */
const MOST_KEPT = 100;
/** A file that has grown beyond this is cut to its newer half. */
const MOST_BYTES = 32 * 1024;
const EXTENSION = '.log';

function folderOf(home: string): string {
  return join(home, 'hooks');
}

/**
 * Notes that an event of an agent was handled, and how long it took. One short line is appended; no lock is waited for.
 * Never throws.
 */
export function noteActivity(
  home: string,
  agent: AgentName,
  event: { readonly type: string; readonly at: number; readonly durationMs: number },
): void {
  const path = join(folderOf(home), `${agent}${EXTENSION}`);
  const line = `${event.at} ${event.type} ${event.durationMs.toFixed(1)}\n`;
  try {
    append(folderOf(home), path, line);
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MOST_BYTES) shorten(path);
  } catch {
    // A measurement that cannot be kept is lost.
  }
}

/** What the hooks of each agent did lately; agents that never called are left out. Never throws. */
export function readHookActivity(home: string): readonly HookActivity[] {
  return AGENT_NAMES.flatMap((agent) => {
    const lines = readLines(join(folderOf(home), `${agent}${EXTENSION}`));
    const last = lines.at(-1);
    if (last === undefined) return [];
    const durations: Record<string, number[]> = {};
    for (const { type, durationMs } of lines) {
      const list = durations[type];
      if (list === undefined) durations[type] = [durationMs];
      else list.push(durationMs);
    }
    for (const list of Object.values(durations)) list.splice(0, list.length - MOST_KEPT);
    return [{ agent, lastAt: last.at, lastEvent: last.type, durations }];
  });
}

interface Measurement {
  readonly at: number;
  readonly type: string;
  readonly durationMs: number;
}

const LINE = /^(\d{12,14}) ([a-zA-Z]{1,20}) (\d{1,9}(?:\.\d)?)$/;

function readLines(path: string): readonly Measurement[] {
  let text: string;
  try {
    text = readFileSync(path, 'latin1');
  } catch {
    return [];
  }
  return text.split('\n').flatMap((line) => {
    const [, at, type, durationMs] = LINE.exec(line) ?? [];
    return at === undefined || type === undefined
      ? []
      : [{ at: Number(at), type, durationMs: Number(durationMs) }];
  });
}

function append(folder: string, path: string, line: string): void {
  try {
    appendFileSync(path, line, { mode: 0o600 });
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    // Not with its parents: no home is made for a measurement.
    mkdirSync(folder, { mode: 0o700 });
    appendFileSync(path, line, { mode: 0o600 });
  }
}

/** Lines that another process appends meanwhile may be lost: they are measurements. */
function shorten(path: string): void {
  const text = readFileSync(path, 'latin1');
  const half = text.indexOf('\n', text.length - MOST_BYTES / 2) + 1;
  writeFileAtomic(path, text.slice(half), { durable: false });
}
