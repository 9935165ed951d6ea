import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { UNKNOWN_MACHINE } from '../../../src/ask/guard/candidates.ts';
import { openHome, type Project } from '../../../src/project/index.ts';
import { temporaryFolder } from '../../temp-folder.ts';

/** A request and what came of it. */
export interface Work {
  readonly text: string;
  /** Commands that worked. */
  readonly runs?: readonly string[];
  /** Files that were written. */
  readonly writes?: readonly string[];
  /** Commands that failed, with their output. Come first. */
  readonly fails?: Readonly<Record<string, string>>;
  readonly reply?: string;
}

/** The day of the sessions, and the time when they are asked about. */
export const DAY = Date.parse('2025-11-12T10:00:00.000Z');
const NOW = Date.parse('2025-11-14T09:00:00.000Z');
const MINUTE = 60_000;

/** A project with these sessions. Of several, each begins a minute after the one before. */
export function recorded(sessions: Readonly<Record<string, readonly Work[]>>, starts = DAY): Project {
  const folder = temporaryFolder();
  const cwd = join(folder, 'shop');
  mkdirSync(cwd);
  let at = starts;
  const home = openHome({ home: join(folder, 'home'), now: () => at, machine: () => UNKNOWN_MACHINE });
  onTestFinished(() => home.close());
  const project = home.openProject(cwd);
  const recorder = project.recorder();
  for (const [sessionId, all] of Object.entries(sessions)) {
    const head = () => {
      at += MINUTE;
      return { sessionId, timestamp: new Date(at).toISOString(), agent: 'claude-code' };
    };
    const run = (command: string) => ({ ...head(), tool: 'Bash', input: { command } });
    for (const { text, fails = {}, runs = [], writes = [], reply } of all) {
      recorder.recordPrompt({ ...head(), text });
      for (const [command, output] of Object.entries(fails))
        recorder.record(run(command), { status: 'error', exitCode: 1, output });
      for (const command of runs) recorder.record(run(command), { status: 'ok', exitCode: 0, output: 'done' });
      for (const path of writes) {
        const call = { ...head(), tool: 'Write', input: { file_path: join(cwd, path), content: 'export {};\n' } };
        recorder.record(call, { status: 'ok', output: 'written' });
      }
      if (reply !== undefined) project.history.append({ ...head(), role: 'assistant', content: reply });
    }
  }
  at = NOW;
  project.maintain();
  return project;
}
