import type { FileChange } from '../facts/call/file-changes.ts';
import { redact } from '../redact/redact.ts';
import type { BlameCommit, CommittedLine } from '../registry/git-blame.ts';
import { hasLetters } from '../text/letters.ts';
import { alignLines } from '../text/line-diff.ts';

/** A recorded change of a file, or the commit of one, with the session and the request that it served. */
export interface RecordedChange extends Omit<FileChange, 'path'> {
  readonly sessionId: string;
  /** Title of the session. */
  readonly title: string;
  readonly agent?: string;
  /** Id of the attempt or message. */
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  /** The user's request that it served. */
  readonly request?: string;
  readonly tool?: string;
  /** From a transcript that is not the user's own. */
  readonly foreign?: true;
  /** The colleague whose session it was. */
  readonly author?: string;
}

/**
 * How the session of a line is known. `text`: a recorded change added this very line. `commit`: the session made the
 * commit. `time`: a change that is recorded only in part was the last one before the commit.
 */
type BlameBasis = 'text' | 'commit' | 'time';

/** A recorded change without its diff. */
export type ChangeOrigin = Omit<RecordedChange, 'hunks'>;

/** Consecutive lines with the same origin. */
export interface BlamedRange {
  /** Line numbers, counted from 1, both inclusive. */
  readonly from: number;
  readonly to: number;
  /** Absent for lines that are not committed. */
  readonly commit?: BlameCommit;
  /** The change that wrote the lines, or the call that committed them; absent when none is recorded. */
  readonly change?: ChangeOrigin;
  readonly basis?: BlameBasis;
}

/** What {@link blameLines} works with. */
export interface BlameSources {
  /** The file as of the last commit; undefined without git. */
  readonly committed: readonly CommittedLine[] | undefined;
  /** The recorded changes of the file, the latest first. */
  readonly changes: readonly RecordedChange[];
  /** The call that made a commit, if it is recorded. */
  readonly findCommit: (hash: string) => RecordedChange | undefined;
  readonly now: number;
}

type Origin = Pick<BlamedRange, 'commit' | 'basis'> & { readonly change?: RecordedChange };

/** Says for each line of a file which recorded change wrote it. */
export function blameLines(lines: readonly string[], sources: BlameSources): readonly BlamedRange[] {
  const { committed = [] } = sources;
  const counterparts = alignLines(
    committed.map(({ text }) => text),
    lines,
  );
  const commits = counterparts.map((index) => (index === undefined ? undefined : committed[index]?.commit));
  const finder = new OriginFinder(sources);
  const origins = lines.map((line, index) => finder.find(line, commits[index]));
  const whole = origins.map(
    (origin, index) =>
      origin ?? nearby(origins, commits, index) ?? finder.findAmong(origins, lines[index] ?? '', commits[index]),
  );
  return toRanges(whole);
}

/** A line that says nothing by itself, such as a brace, is from where its neighbours of the same commit are from. */
function nearby(
  origins: readonly (Origin | undefined)[],
  commits: readonly (BlameCommit | undefined)[],
  index: number,
): Origin | undefined {
  const isSame = (other: number): boolean => other in commits && commits[other] === commits[index];
  for (const step of [-1, 1]) {
    let at = index + step;
    while (isSame(at) && origins[at] === undefined) at += step;
    const found = isSame(at) ? origins[at] : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A line with fewer letters in a row, such as `});`, says nothing. */
const MIN_LETTERS = 2;
/** A shorter part of a line says too little. */
const MIN_PART_LENGTH = 8;
/** Each line that no change wrote as a whole is compared with all parts. */
const MAX_PARTS = 5000;
/** Clocks differ, and git counts seconds. */
const TOLERANCE_MS = 2 * 60_000;
/** A change that is recorded in part counts for a commit within this time. */
const MAX_UNCOMMITTED_MS = 12 * 3_600_000;

/** Finds the origin of single lines. */
class OriginFinder {
  readonly #sources: BlameSources;
  /** Changes that added a line, the latest first. */
  readonly #byLine = new Map<string, RecordedChange[]>();
  /** Parts of lines, as where an edit replaces a few words, with the change that wrote them, the latest first. */
  readonly #parts: { readonly text: string; readonly change: RecordedChange }[] = [];
  readonly #byCommit = new Map<string, Origin>();

  constructor(sources: BlameSources) {
    this.#sources = sources;
    for (const change of sources.changes) {
      const added = change.hunks.flatMap(({ lines }) => lines.filter(({ sign }) => sign === '+'));
      for (const key of new Set(added.map(({ text }) => text.trim()))) {
        const known = this.#byLine.get(key);
        if (known === undefined) this.#byLine.set(key, [change]);
        else known.push(change);
        if (key.length >= MIN_PART_LENGTH && hasLetters(key, MIN_LETTERS) && this.#parts.length < MAX_PARTS)
          this.#parts.push({ text: key, change });
      }
    }
  }

  /** Undefined for a line that says nothing by itself. */
  find(line: string, commit: BlameCommit | undefined): Origin | undefined {
    const key = line.trim();
    if (!hasLetters(key, MIN_LETTERS)) return undefined;
    const until = this.#lastTime(commit);
    const isBefore = ({ at }: RecordedChange): boolean => Date.parse(at) <= until;
    const writers = this.#byLine.get(key) ?? this.#byLine.get(redact(key)) ?? [];
    const change =
      writers.find(isBefore) ?? this.#parts.find((part) => key.includes(part.text) && isBefore(part.change))?.change;
    if (change !== undefined) return { ...(commit === undefined ? {} : { commit }), change, basis: 'text' };
    return this.#ofCommit(commit, until);
  }

  /** The origin of a line that says nothing by itself: a change that wrote other lines of its commit, too. */
  findAmong(origins: readonly (Origin | undefined)[], line: string, commit: BlameCommit | undefined): Origin {
    const writers = this.#byLine.get(line.trim()) ?? [];
    const found = origins.find(
      (origin) => origin?.commit === commit && origin?.change !== undefined && writers.includes(origin.change),
    );
    return found ?? (commit === undefined ? {} : { commit });
  }

  #ofCommit(commit: BlameCommit | undefined, until: number): Origin {
    const known = this.#byCommit.get(commit?.hash ?? '');
    if (known !== undefined) return known;
    const origin = { ...(commit === undefined ? {} : { commit }), ...this.#findCommitter(commit, until) };
    this.#byCommit.set(commit?.hash ?? '', origin);
    return origin;
  }

  #findCommitter(commit: BlameCommit | undefined, until: number): Pick<Origin, 'change' | 'basis'> {
    const made = commit === undefined ? undefined : this.#sources.findCommit(commit.hash);
    if (made !== undefined) return { change: made, basis: 'commit' };
    const last = this.#sources.changes.find(({ at }) => Date.parse(at) <= until);
    const isPartial = last !== undefined && (last.isPartial === true || last.hunks.length === 0);
    const isRecent = last !== undefined && until - Date.parse(last.at) <= MAX_UNCOMMITTED_MS;
    return isPartial && isRecent ? { change: last, basis: 'time' } : {};
  }

  #lastTime(commit: BlameCommit | undefined): number {
    if (commit === undefined) return this.#sources.now + TOLERANCE_MS;
    return Math.max(Date.parse(commit.authoredAt), Date.parse(commit.committedAt)) + TOLERANCE_MS;
  }
}

function toRanges(origins: readonly Origin[]): readonly BlamedRange[] {
  const ranges: { from: number; to: number; origin: Origin }[] = [];
  origins.forEach((origin, index) => {
    const last = ranges.at(-1);
    const isSame = last?.origin.commit === origin.commit && last?.origin.change === origin.change;
    if (last !== undefined && isSame) last.to = index + 1;
    else ranges.push({ from: index + 1, to: index + 1, origin });
  });
  return ranges.map(({ from, to, origin: { change, ...origin } }) => {
    if (change === undefined) return { from, to, ...origin };
    const { hunks: _, ...rest } = change;
    return { from, to, ...origin, change: rest };
  });
}
