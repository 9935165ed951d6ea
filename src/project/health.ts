import { statSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../config/index.ts';
import { scanSessions } from '../history/index.ts';
import { type ErrorCode, NOTES_SESSION, type Warning, YoreError } from '../record/index.ts';
import type { ProjectSource, RecordCounts, SearchIndex } from '../search/index.ts';

/** The result of one check. */
export interface Finding {
  readonly area: string;
  readonly ok: boolean;
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
  /** Warnings of the registry and the prompt history. */
  readonly warnings: readonly Warning[];
}

/** Checks folder, settings, index and logs of a home. Changes nothing. */
export function checkHome(home: string, options: HealthCheckOptions): readonly Finding[] {
  const { index, sources, isRecording, warnings } = options;
  return [
    checkFolder(home),
    checkSettings(join(home, 'config.json'), sources),
    {
      area: 'recording',
      ok: true,
      message: isRecording ? 'on' : 'paused everywhere; resume with `yore resume --everywhere`',
    },
    checkIndex(index, sources),
    ...checkLogs(index, sources),
    ...warnings.map((warning) => toFinding('files', false, warning)),
  ];
}

function checkFolder(home: string): Finding {
  const found = statSync(home, { throwIfNoEntry: false });
  if (!found) return { area: 'home', ok: true, message: 'does not exist yet; the first record creates it' };
  const isPrivate = process.platform === 'win32' || (found.mode & 0o077) === 0;
  if (isPrivate) return { area: 'home', ok: true, message: 'a private folder' };
  const fix = `chmod 700 ${home}`;
  return { area: 'home', ok: false, message: 'other users can read it', fix, code: 'STORAGE' };
}

function checkSettings(homeFile: string, sources: readonly ProjectSource[]): Finding {
  for (const { directory } of sources) {
    try {
      loadConfig({ homeFile, projectFile: join(directory, 'config.json') });
    } catch (error) {
      if (!(error instanceof YoreError)) throw error;
      return { area: 'settings', ok: false, message: error.message, code: error.code };
    }
  }
  return { area: 'settings', ok: true, message: 'valid' };
}

function checkIndex(index: SearchIndex, sources: readonly ProjectSource[]): Finding {
  const { state } = index.state(sources);
  if (state === 'corrupt') {
    return {
      area: 'index',
      ok: false,
      message: 'search.db is damaged; nothing is lost, it can be rebuilt from the logs',
      fix: 'yore reindex',
      code: 'STORAGE',
    };
  }
  const message = {
    ready: 'up to date',
    behind: 'behind the logs; the next search updates it',
    missing: 'does not exist yet; the next search creates it',
  }[state];
  return { area: 'index', ok: true, message };
}

function checkLogs(index: SearchIndex, sources: readonly ProjectSource[]): readonly Finding[] {
  const { state } = index.state(sources);
  const problems = state === 'ready' || state === 'behind' ? index.warnings() : [];
  if (problems.length === 0) return [{ area: 'logs', ok: true, message: 'all readable' }];
  return problems.map((warning) => toFinding('logs', warning.code !== 'newer', warning));
}

function toFinding(area: string, ok: boolean, { code, message }: Warning): Finding {
  return { area, ok, message, code: code === 'newer' ? 'NEWER_VERSION' : 'STORAGE' };
}

/** Counts records by reading the logs of projects: the fallback without an index. */
export function countRecords(directories: readonly string[]): RecordCounts {
  const counts = { sessions: 0, messages: 0, failures: 0, successes: 0 };
  for (const directory of directories) {
    const isWanted = () => true;
    for (const [sessionId, { messages, attempts }] of scanSessions(directory, isWanted, () => {})) {
      if (sessionId !== NOTES_SESSION || messages.length > 0) counts.sessions++;
      counts.messages += messages.filter((message) => message.kind !== 'checkpoint').length;
      counts.failures += attempts.filter((attempt) => attempt.outcome === 'failure').length;
      counts.successes += attempts.filter((attempt) => attempt.outcome === 'success').length;
    }
  }
  return counts;
}
