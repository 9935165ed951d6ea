import { join } from 'node:path';
import { describeProject, type Knowledge, readKnowledge } from '../ask/knowledge.ts';
import { hasNotes } from '../ask/notes.ts';
import { countWork, lastWorkTime } from '../ask/session-work.ts';
import { tryReadText, writeFileAtomic } from '../files/file-access.ts';
import { archiveOldRecords, restoreRecentSegments } from '../log/archive.ts';
import { omitUndefined, parseObject } from '../record/object.ts';
import type { ProjectInfo } from '../record/project-info.ts';
import type { RowSource } from '../store/project-rows.ts';

/** What the records of a project say about it, as its `index.json` has it. */
export type FoundInfo = Pick<ProjectInfo, 'sessionCount' | 'techStack' | 'patterns'> &
  Partial<Pick<ProjectInfo, 'lastActiveAt'>>;

/** A project whose files {@link maintainProject} keeps up to date. */
export interface MaintainedProject {
  readonly info: ProjectInfo;
  /** The folder that holds the project's logs. */
  readonly directory: string;
  readonly rows: RowSource;
  readonly now: () => number;
  /** Changes the project's `index.json`. */
  readonly updateInfo: (found: FoundInfo) => void;
}

/** Failures older than this are archived, where they are no longer retrieved. */
const ARCHIVE_AFTER_DAYS = 30;
const DAY_MS = 86_400_000;
/** The project's time is not written more often, see `ProjectHandle.touch()`. */
const HOUR_MS = 3_600_000;
const KNOWLEDGE_FILE = 'knowledge.json';

/**
 * Archives old failures, takes back what was archived while the clock was ahead, and writes what is known to `index.json`
 * and `knowledge.json`.
 */
export function maintainProject(project: MaintainedProject): void {
  const { directory, now } = project;
  const before = now() - ARCHIVE_AFTER_DAYS * DAY_MS;
  archiveOldRecords(directory, 'failures', before);
  restoreRecentSegments(directory, 'failures', before);
  describe(project);
}

function describe({ info, directory, rows, now, updateInfo }: MaintainedProject): void {
  const known = rows.ask((each) => {
    const sessionCount = countWork(each, {});
    if (sessionCount === 0 && !hasNotes(each)) return undefined;
    const options = describeProject(each, info, now());
    const lastTime = Math.min(now(), lastWorkTime(each) ?? 0);
    return { sessionCount, lastTime, stack: options.stack, knowledge: readKnowledge(each, options) };
  });
  if (known === undefined) return;
  const { sessionCount, lastTime, stack, knowledge } = known;
  writeKnowledge(directory, knowledge, new Date(now()).toISOString());
  const { testCommand, buildCommand, packageManager } = stack.commands;
  const found = {
    sessionCount,
    techStack: stack.techStack,
    patterns: omitUndefined({ testCommand, buildCommand, packageManager }),
  };
  const { sessionCount: count, techStack, patterns } = info;
  const isSame = JSON.stringify(found) === JSON.stringify({ sessionCount: count, techStack, patterns });
  // Others may have noted a time that is not known here.
  const isLater = lastTime - Date.parse(info.lastActiveAt) > HOUR_MS;
  if (isLater) updateInfo({ ...found, lastActiveAt: new Date(lastTime).toISOString() });
  else if (!isSame) updateInfo(found);
}

/** The file is for people and other tools; yore itself never reads it. `at` becomes `updatedAt` if something has changed. */
function writeKnowledge(directory: string, knowledge: Knowledge, at: string): void {
  const { summary, bestPractices, conventions, workflow, recurringTasks } = knowledge;
  const antiPatterns = knowledge.antiPatterns.map(({ fix: alternative, ...pattern }) => ({ ...pattern, alternative }));
  const known = { summary, antiPatterns, bestPractices, conventions, workflow, recurringTasks };
  const path = join(directory, KNOWLEDGE_FILE);
  const { updatedAt: _, ...before } = parseObject(tryReadText(path) ?? '') ?? {};
  if (JSON.stringify(before) === JSON.stringify(known)) return;
  writeFileAtomic(path, `${JSON.stringify({ updatedAt: at, ...known }, null, 2)}\n`, { durable: false });
}
