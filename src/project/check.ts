import { statSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../config/index.ts';
import { type ErrorCode, type Warning, YoreError } from '../record/index.ts';
import type { ProjectSource, SearchIndex } from '../search/index.ts';

/** One thing that was looked at. */
export interface Finding {
  readonly area: string;
  readonly ok: boolean;
  readonly message: string;
  /** The command that repairs it. */
  readonly fix?: string;
  readonly code?: ErrorCode;
}

/** What {@link checkHome} looks at besides the files. */
export interface Surroundings {
  readonly index: SearchIndex;
  readonly sources: readonly ProjectSource[];
  readonly recording: boolean;
  /** Of the registry and the prompt history. */
  readonly warnings: readonly Warning[];
}

/** Looks at everything in yore's home and says what works and what does not. Changes nothing. */
export function checkHome(home: string, surroundings: Surroundings): readonly Finding[] {
  const { index, sources, recording, warnings } = surroundings;
  return [
    checkFolder(home),
    checkSettings(join(home, 'config.json'), sources),
    {
      area: 'recording',
      ok: true,
      message: recording ? 'on' : 'paused everywhere; `yore resume --everywhere` goes on',
    },
    checkIndex(index, sources),
    ...checkLogs(index, sources),
    ...warnings.map(
      (warning): Finding => ({ area: 'files', ok: false, message: warning.message, code: codeOf(warning) }),
    ),
  ];
}

function checkFolder(home: string): Finding {
  const found = statSync(home, { throwIfNoEntry: false });
  if (!found) return { area: 'home', ok: true, message: 'does not exist yet; the first record creates it' };
  const isPrivate = process.platform === 'win32' || (found.mode & 0o077) === 0;
  if (isPrivate) return { area: 'home', ok: true, message: 'a folder for you alone' };
  return {
    area: 'home',
    ok: false,
    message: 'other users can look into it',
    fix: `chmod 700 ${home}`,
    code: 'STORAGE',
  };
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
      message: 'search.db is damaged; nothing is lost, it is made from the logs',
      fix: 'yore reindex',
      code: 'STORAGE',
    };
  }
  const message = {
    ready: 'up to date',
    behind: 'behind the logs; the next search takes in what is new',
    missing: 'not made yet; the next search makes it',
  }[state];
  return { area: 'index', ok: true, message };
}

function checkLogs(index: SearchIndex, sources: readonly ProjectSource[]): readonly Finding[] {
  const { state } = index.state(sources);
  const problems = state === 'ready' || state === 'behind' ? index.warnings() : [];
  if (problems.length === 0) return [{ area: 'logs', ok: true, message: 'all readable' }];
  return problems.map((warning) => ({
    area: 'logs',
    ok: warning.code !== 'newer',
    message: warning.message,
    code: codeOf(warning),
  }));
}

function codeOf(warning: Warning): ErrorCode {
  return warning.code === 'newer' ? 'NEWER_VERSION' : 'STORAGE';
}
