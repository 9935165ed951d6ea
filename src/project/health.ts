import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadConfig } from '../config/index.ts';
import { isListedSession, type SessionRecords, scanSessions, summariseSession } from '../history/index.ts';
import { type Diagnostic, type ErrorCode, YoreError } from '../record/index.ts';
import { projectConfigFile } from '../registry/project-file.ts';
import type { IndexState, ProjectSource, RecordCounts, SearchIndex } from '../search/index.ts';
import { isWork } from '../store/session-rows.ts';
import { type Deletions, describeInterruptedDeletion } from './deletions.ts';
import { describeDeletion } from './forget.ts';

/** Counts and sizes of what is stored. */
export interface HomeStatus extends RecordCounts {
  readonly projects: number;
  readonly bytesOnDisk: number;
  readonly indexBytes: number;
  readonly indexState: IndexState;
}

/** The result of one check. */
export interface HealthFinding {
  readonly area: string;
  readonly ok: boolean;
  /** Set when nothing is broken, but nothing is recorded either. */
  readonly isOff?: true;
  /** Set when nothing is broken, but the user has to do something before it works. */
  readonly needsAction?: true;
  /** One or more sentences. */
  readonly message: string;
  /** The command that repairs it. */
  readonly fix?: string;
  readonly code?: ErrorCode;
}

/** What {@link checkHome} checks besides files. */
interface HealthCheckOptions {
  readonly index: SearchIndex;
  readonly sources: readonly ProjectSource[];
  readonly isRecording: boolean;
  readonly deletions: Deletions;
  /** Of the registry and the prompt history. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Checks folder, settings, index and logs of a home. Changes nothing. */
export function checkHome(home: string, options: HealthCheckOptions): readonly HealthFinding[] {
  const { index, sources, isRecording, diagnostics } = options;
  return [
    checkFolder(home),
    checkSettings(join(home, 'config.json'), sources),
    {
      area: 'recording',
      ok: true,
      ...(isRecording
        ? { message: 'Recording is on.' }
        : { message: 'Recording is paused everywhere. To resume: yore resume --everywhere', isOff: true }),
    },
    checkIndex(home, index, sources),
    ...checkLogs(index, sources),
    ...checkDeletions(options.deletions),
    ...diagnostics.map((diagnostic) => toFinding('files', false, diagnostic)),
  ];
}

function checkFolder(home: string): HealthFinding {
  const found = statSync(home, { throwIfNoEntry: false });
  if (!found)
    return { area: 'home', ok: true, message: 'The folder does not exist yet. It is created with the first record.' };
  const isPrivate = process.platform === 'win32' || (found.mode & 0o077) === 0;
  if (isPrivate) return { area: 'home', ok: true, message: 'Only you can read this folder.' };
  const fix = `chmod 700 ${home}`;
  return { area: 'home', ok: false, message: 'Other users can read this folder.', fix, code: 'STORAGE' };
}

function checkSettings(homeFile: string, sources: readonly ProjectSource[]): HealthFinding {
  for (const { id } of sources) {
    try {
      loadConfig({ homeFile, projectFile: projectConfigFile(dirname(homeFile), id) });
    } catch (error) {
      if (!(error instanceof YoreError)) throw error;
      return { area: 'settings', ok: false, message: error.message, code: error.code };
    }
  }
  return { area: 'settings', ok: true, message: 'All settings are valid.' };
}

function checkIndex(home: string, index: SearchIndex, sources: readonly ProjectSource[]): HealthFinding {
  const { state } = index.state(sources);
  if (state === 'locked') {
    return {
      area: 'index',
      ok: false,
      message: `yore may not write to ${home}, without which SQLite cannot read its store there: hooks are silent, nothing is recorded, and searches read the logs. A sandbox may forbid it: add the folder to what it may write to. Or make it writable for you, or set YORE_HOME to another one.`,
      fix: `chmod u+w ${home}`,
      code: 'READ_ONLY',
    };
  }
  if (state === 'corrupt') {
    return {
      area: 'index',
      ok: false,
      message: 'The search index is damaged. Nothing is lost: it can be rebuilt from the logs.',
      fix: 'yore reindex',
      code: 'STORAGE',
    };
  }
  const message = {
    ready: 'The search index is up to date.',
    behind: 'The search index is behind the logs. The next search updates it.',
    missing: 'There is no search index yet. The next search creates it.',
  }[state];
  return { area: 'index', ok: true, message };
}

function checkLogs(index: SearchIndex, sources: readonly ProjectSource[]): readonly HealthFinding[] {
  const { state } = index.state(sources);
  const problems = state === 'ready' || state === 'behind' ? index.diagnostics() : [];
  if (problems.length === 0) return [{ area: 'logs', ok: true, message: 'All logs are readable.' }];
  return problems.map((problem) => toFinding('logs', problem.code !== 'newer', problem));
}

/** A deletion that could not be finished is listed once, with the reason if it is known. */
function checkDeletions(deletions: Deletions): readonly HealthFinding[] {
  const known = new Map(deletions.interrupted.map((each) => [describeDeletion(each.deletion), each]));
  for (const deletion of deletions.pending()) {
    const what = describeDeletion(deletion);
    if (!known.has(what)) known.set(what, { deletion, problem: 'Another process is doing it, or was interrupted.' });
  }
  return [...known.values()].map((each) => ({
    area: 'forget',
    ok: each.problem === undefined,
    message: describeInterruptedDeletion(each),
    ...(each.problem === undefined ? {} : { fix: 'yore doctor', code: 'STORAGE' as const }),
  }));
}

function toFinding(area: string, ok: boolean, { code, message }: Diagnostic): HealthFinding {
  return { area, ok, message, code: code === 'newer' ? 'NEWER_VERSION' : 'STORAGE' };
}

/** Counts records by reading the logs of projects: the fallback without an index. */
export function countLogRecords(directories: readonly string[]): RecordCounts {
  const counts = { sessions: 0, subAgents: 0, withoutWork: 0, messages: 0, failures: 0, successes: 0 };
  for (const directory of directories) {
    const isWanted = () => true;
    for (const [sessionId, records] of scanSessions(directory, isWanted, () => {})) {
      const summary = summariseSession('', sessionId, records);
      if (isListedSession(sessionId, records)) {
        const counted = isWork(records);
        counts[counted ? 'sessions' : 'withoutWork']++;
        if (counted && isSubAgent(records)) counts.subAgents++;
      }
      counts.messages += summary.messageCount;
      counts.failures += summary.failures;
      counts.successes += summary.successes;
    }
  }
  return counts;
}

function isSubAgent({ messages, attempts }: SessionRecords): boolean {
  const startedBy = messages.filter(({ isFork }) => isFork !== true);
  return [...startedBy, ...attempts].some(({ parentSessionId }) => parentSessionId !== undefined);
}
