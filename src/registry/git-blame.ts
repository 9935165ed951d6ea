import type { Repository, RunGit } from './git-repository.ts';

/** A commit that lines of a file are from. */
export interface BlameCommit {
  readonly hash: string;
  /** ISO 8601, UTC: when the change was made, and when it was committed, which is later after a rebase. */
  readonly authoredAt: string;
  readonly committedAt: string;
  /** The first line of its message. */
  readonly subject: string;
}

/** A line of a file as it was committed last, and the commit that it is from. */
export interface CommittedLine {
  readonly text: string;
  readonly commit: BlameCommit;
}

/**
 * Which commit each line of a file is from, as of HEAD. Undefined when git cannot tell: there is no git, no commit, or the
 * file was never committed. Nothing that the repository configures is run: git reads its objects only, not the work tree,
 * so that no filter or conversion applies.
 */
export function blameHead(
  { gitDir }: Pick<Repository, 'gitDir'>,
  path: string,
  runGit: RunGit,
): readonly CommittedLine[] | undefined {
  const args = ['blame', '--porcelain', '--no-textconv', '--no-ignore-revs-file', '--no-progress', 'HEAD'];
  const output = runGit(gitDir, [...args, '--', path]);
  return output === undefined ? undefined : parsePorcelain(output);
}

const LINE_HEAD = /^([0-9a-f]{40,64}) \d+ \d+/;

/** Parses `git blame --porcelain`: a header for each line, with the commit in full where it occurs first. */
function parsePorcelain(output: string): readonly CommittedLine[] {
  const commits = new Map<string, { hash: string; authored: number; committed: number; subject: string }>();
  const lines: { readonly text: string; readonly hash: string }[] = [];
  let hash = '';
  for (const line of output.split('\n')) {
    const commit = commits.get(hash);
    if (line.startsWith('\t')) {
      lines.push({ text: line.slice(1).replace(/\r$/, ''), hash });
      hash = '';
    } else if (commit === undefined) {
      hash = LINE_HEAD.exec(line)?.[1] ?? '';
      if (hash !== '' && !commits.has(hash)) commits.set(hash, { hash, authored: 0, committed: 0, subject: '' });
    } else if (line.startsWith('author-time ')) commit.authored = Number(line.slice('author-time '.length));
    else if (line.startsWith('committer-time ')) commit.committed = Number(line.slice('committer-time '.length));
    else if (line.startsWith('summary ')) commit.subject = line.slice('summary '.length);
  }
  const described = new Map(
    [...commits].map(([key, { authored, committed, subject }]) => [
      key,
      { hash: key, authoredAt: toTime(authored), committedAt: toTime(committed), subject },
    ]),
  );
  return lines.flatMap(({ text, hash: key }) => {
    const commit = described.get(key);
    return commit === undefined ? [] : [{ text, commit }];
  });
}

/** A repository may claim any time. */
function toTime(seconds: number): string {
  const time = new Date(seconds * 1000);
  return Number.isNaN(time.getTime()) ? new Date(0).toISOString() : time.toISOString();
}
