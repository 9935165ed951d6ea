import { realpathSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { findFileChanges } from '../facts/call/file-changes.ts';
import { planHeading } from '../facts/session-title.ts';
import { statIfExists, tryReadText } from '../files/file-access.ts';
import { isApplied, omitUndefined, type SessionSummary, YoreError } from '../record/index.ts';
import { redact } from '../redact/redact.ts';
import { blameHead } from '../registry/git-blame.ts';
import { findRepository, type RunGit } from '../registry/git-repository.ts';
import type { SearchIndex } from '../search/index.ts';
import {
  type ChangeRecord,
  type FileFilter,
  type FileList,
  findCommits,
  listFiles,
  readFileChanges,
} from '../store/file-rows.ts';
import { markWords, parseHunks, splitLines } from '../text/line-diff.ts';
import { quoteCode } from '../text/recorded-text.ts';
import { type BlamedRange, blameLines, type RecordedChange } from './blame.ts';

/** The recorded changes of a file, the latest first, and how many there are. */
export interface ChangesOfFile {
  readonly path: string;
  readonly total: number;
  readonly sessions: number;
  readonly changes: readonly RecordedChange[];
}

/** A file as it is now, with the origin of its lines. Texts are redacted. */
export interface FileBlame {
  readonly path: string;
  readonly lines: readonly string[];
  readonly ranges: readonly BlamedRange[];
  /** Whether git could say which commit a line is from. */
  readonly hasGit: boolean;
}

/** Options of a {@link FileHistory}. */
export interface FileHistoryOptions {
  /** The index, brought up to date. */
  readonly index: () => SearchIndex;
  readonly runGit: RunGit;
  readonly now: () => number;
}

const DEFAULT_CHANGES = 50;
/** The latest changes of a file that lines are compared with. */
const MAX_BLAMED_CHANGES = 1000;
const MAX_FILE_BYTES = 2 * 1024 * 1024;

/** Which sessions changed which files, and which of them wrote a line. Needs a usable index; throws STORAGE without one. */
export class FileHistory {
  readonly #options: FileHistoryOptions;

  constructor(options: FileHistoryOptions) {
    this.#options = options;
  }

  /** The files that sessions of a project changed. */
  list(filter: FileFilter): FileList {
    return this.#options.index().require((each) => listFiles(each, filter), { files: [], total: 0 });
  }

  /** The recorded changes of a file, the latest first. `path` is relative to the checkout. */
  changes(
    project: string,
    path: string,
    { limit = DEFAULT_CHANGES, offset = 0 }: { readonly limit?: number; readonly offset?: number } = {},
  ): ChangesOfFile {
    const found = this.#changes(project, path, { limit, offset });
    return { ...found, changes: found.changes.map(markWords) };
  }

  /** The sessions that made a commit, by its hash or the beginning of it, the earliest first. */
  commits(project: string, hash: string): readonly RecordedChange[] {
    const index = this.#options.index();
    const commits = index.require((each) => findCommits(each, project, hash), []);
    return describe(commits, project, undefined, index);
  }

  /**
   * Which session wrote each line of a file in a checkout. Throws NOT_FOUND when it does not exist or is outside, and
   * LIMIT or USAGE when it cannot be read as text.
   */
  blame(project: string, root: string, path: string): FileBlame {
    const text = readInside(root, path);
    const lines = splitLines(text);
    const repository = findRepository(root);
    const inRepository = repository && relative(repository.root, join(root, path)).replaceAll(sep, '/');
    const committed = repository && blameHead(repository, inRepository ?? path, this.#options.runGit);
    const { changes } = this.#changes(project, path, { limit: MAX_BLAMED_CHANGES, offset: 0 });
    const ranges = blameLines(lines, {
      committed,
      changes: changes.filter(({ foreign }) => !foreign),
      findCommit: (hash) => this.commits(project, hash).find(({ foreign }) => !foreign),
      now: this.#options.now(),
    });
    return { path, lines: splitLines(redact(text)), ranges, hasGit: committed !== undefined };
  }

  #changes(project: string, path: string, part: { readonly limit: number; readonly offset: number }): ChangesOfFile {
    const index = this.#options.index();
    const { records, total, sessions } = index.require((each) => readFileChanges(each, { project, path, ...part }), {
      records: [],
      total: 0,
      sessions: 0,
    });
    return { path, total, sessions, changes: describe(records, project, path, index) };
  }
}

/** The text of a file in a folder. Links must not lead out of it. */
function readInside(root: string, path: string): string {
  const missing = new YoreError('NOT_FOUND', `There is no file ${quoteCode(path, 200)} in ${quoteCode(root, 200)}.`);
  const file = isAbsolute(path) ? path : join(root, path);
  const found = statIfExists(file);
  if (!found?.isFile()) throw missing;
  const inside = relative(realpathSync(root), realpathSync(file));
  if (inside === '' || inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) throw missing;
  if (found.size > MAX_FILE_BYTES) throw new YoreError('LIMIT', `${quoteCode(path, 200)} is larger than 2 MB.`);
  const text = tryReadText(file);
  if (text === undefined || text.includes('\0'))
    throw new YoreError('USAGE', `${quoteCode(path, 200)} is not a text file.`);
  return text;
}

/** Describes records as changes of `path`; commits have none. */
function describe(
  records: readonly ChangeRecord[],
  project: string,
  path: string | undefined,
  index: SearchIndex,
): readonly RecordedChange[] {
  const ids = [...new Set(records.map(({ sessionId }) => sessionId))];
  const summaries = new Map(
    index
      .findSessionsById(ids.map((sessionId) => ({ project, sessionId })))
      .map((summary) => [summary.sessionId, summary]),
  );
  return records.map((found) => describeRecord(found, path, summaries.get(found.sessionId)));
}

function describeRecord(
  { sessionId, record }: ChangeRecord,
  path: string | undefined,
  summary: SessionSummary | undefined,
): RecordedChange {
  const { id, timestamp: at, agent = summary?.agent, foreign, author } = record;
  const common = { sessionId, title: summary?.title ?? '', id, at, ...omitUndefined({ agent, foreign, author }) };
  if ('outcome' in record) {
    const { context, tool } = record;
    const request = context && (planHeading(context) ?? context);
    const changed = path === undefined ? undefined : findFileChanges(record).find((file) => file.path === path);
    const { path: _, ...change } = changed ?? { hunks: [], added: 0, removed: 0 };
    return { ...common, ...omitUndefined({ request, tool }), ...change };
  }
  const edit = record.editResults?.find((file) => file.path === path && isApplied(file));
  const hunks = parseHunks(edit?.diff ?? '');
  const count = (wanted: string): number =>
    hunks.flatMap(({ lines }) => lines).filter(({ sign }) => sign === wanted).length;
  return { ...common, ...omitUndefined({ change: edit?.change }), hunks, added: count('+'), removed: count('-') };
}
