import { mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { AGENT_NAMES, type AgentName } from '../agents/agent-name.ts';
import { errorCode, readBytes, tryReadText, writeFileAtomic, writeText } from '../files/file-access.ts';

const MAX_PROBLEM_LOG_BYTES = 256 * 1024;
const MAX_LINE_CHARS = 2_000;

/** The log of what went wrong in hooks, in yore's home. The previous one ends in `.1`. */
export function hookLogPath(home: string): string {
  return join(home, 'logs', 'hook.log');
}

/** Logs a problem. Never throws. */
export function logHookProblem(home: string, where: string, problem: unknown, now: number): void {
  const path = hookLogPath(home);
  const text = problem instanceof Error ? `${problem.name}: ${withoutPayload(problem, home)}` : String(problem);
  const line = `${new Date(now).toISOString()} ${where}: ${text}`.replace(/\s+/g, ' ').slice(0, MAX_LINE_CHARS);
  try {
    if (fileSize(path) > MAX_PROBLEM_LOG_BYTES) renameSync(path, `${path}.1`);
    appendWithFolder(path, `${line}\n`);
  } catch {
    // There is nobody to report it to.
  }
}

/**
 * The message of an error. The one of a JSON parser quotes a piece of the payload, in which no secret can be recognised,
 * and those of Node.js quote paths: outside the home and yore's own files they come from the payload.
 */
function withoutPayload(error: Error, home: string): string {
  if (error instanceof SyntaxError) return error.message.replace(/(?:\.\.\.)?".*"(?:\.\.\.)?/s, 'the payload');
  const own = [home, dirname(process.argv[1] ?? home)];
  return error.message.replace(/'(.*)'/s, (quoted, path: string) =>
    own.some((folder) => `${path}${sep}`.startsWith(`${folder}${sep}`)) ? quoted : 'a path',
  );
}

/** The latest activity of an agent's hooks. */
export interface HookActivity {
  readonly agent: AgentName;
  /** When the last event was handled, in epoch milliseconds. */
  readonly lastAt: number;
  /** Its type, e.g. `beforeCall`. */
  readonly lastEvent: string;
  /** Durations of the last events in milliseconds, from process start to reply; by type, oldest first. */
  readonly durations: Readonly<Record<string, readonly number[]>>;
}

/** Durations that are read for each type of event. */
const MAX_DURATIONS = 100;
/** A longer file is cut to its newer half. */
const MAX_ACTIVITY_LOG_BYTES = 32 * 1024;

function activityPath(home: string, agent: AgentName): string {
  return join(home, 'hooks', `${agent}.log`);
}

/** Logs that an event was handled, and how long it took: one short line, without a lock. Never throws. */
export function logActivity(
  home: string,
  agent: AgentName,
  event: { readonly type: string; readonly at: number; readonly durationMs: number },
): void {
  const path = activityPath(home, agent);
  try {
    appendWithFolder(path, `${event.at} ${event.type} ${event.durationMs.toFixed(1)}\n`);
    if (fileSize(path) > MAX_ACTIVITY_LOG_BYTES) shorten(path);
  } catch {
    // A measurement is lost.
  }
}

/** The latest activity of all agents whose hooks have ever run. Never throws. */
export function readHookActivity(home: string): readonly HookActivity[] {
  return AGENT_NAMES.flatMap((agent) => {
    const events = readEvents(activityPath(home, agent));
    const last = events.at(-1);
    if (last === undefined) return [];
    const durations: Record<string, number[]> = {};
    for (const { type, durationMs } of events) {
      durations[type] ??= [];
      durations[type].push(durationMs);
    }
    for (const list of Object.values(durations)) list.splice(0, list.length - MAX_DURATIONS);
    return [{ agent, lastAt: last.at, lastEvent: last.type, durations }];
  });
}

const ACTIVITY_LINE = /^(\d{12,14}) ([a-zA-Z]{1,20}) (\d{1,9}(?:\.\d)?)$/;

function readEvents(
  path: string,
): readonly { readonly at: number; readonly type: string; readonly durationMs: number }[] {
  return (tryReadText(path) ?? '').split('\n').flatMap((line) => {
    const [, at, type, durationMs] = ACTIVITY_LINE.exec(line) ?? [];
    return at === undefined || type === undefined ? [] : [{ at: Number(at), type, durationMs: Number(durationMs) }];
  });
}

function fileSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function appendWithFolder(path: string, line: string): void {
  try {
    writeText(path, line, 'append');
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    // Not recursive: a home is not created for a log.
    mkdirSync(dirname(path), { mode: 0o700 });
    writeText(path, line, 'append');
  }
}

/** Lines that another process appends meanwhile may be lost, which is fine for measurements. */
function shorten(path: string): void {
  const text = readBytes(path).toString('latin1');
  const half = text.indexOf('\n', text.length - MAX_ACTIVITY_LOG_BYTES / 2) + 1;
  writeFileAtomic(path, text.slice(half), { durable: false });
}
