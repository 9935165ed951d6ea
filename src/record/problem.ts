/** Something in yore's files that could not be used and was passed over. */
export interface Problem {
  readonly path: string;
  /** Line of the file, where there is one; counted from 1. */
  readonly line?: number;
  /** `newer`: written by a newer yore. `invalid`: cannot be read. `missing`: a file that should be there is not. */
  readonly reason: 'newer' | 'invalid' | 'missing';
  /** What is wrong, in a few words. */
  readonly detail: string;
}

/** What a person should know about an answer that is otherwise good. */
export interface Warning {
  /** `rebuilt`: the index was made anew. `scanned`: there is no index, so the logs were read instead. */
  readonly code: Problem['reason'] | 'rebuilt' | 'scanned';
  readonly message: string;
}

/** One warning for each file and kind of problem, naming the first place. */
export function summariseProblems(problems: readonly Problem[]): readonly Warning[] {
  const groups = new Map<string, Problem[]>();
  for (const problem of problems) {
    const key = `${problem.reason} ${problem.path}`;
    groups.set(key, [...(groups.get(key) ?? []), problem]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ code: first.reason, message: describe(first, group.length) }] : [];
  });
}

function describe(first: Problem, count: number): string {
  const place = first.line === undefined ? first.path : `${first.path}, line ${first.line}`;
  const which = count > 1 ? `${place} and ${count - 1} more` : place;
  if (first.reason === 'missing') return `${which}: ${first.detail}.`;
  if (first.reason === 'invalid') return `${which}: skipped, ${first.detail}. Nothing else is affected.`;
  return `${which}: written by a newer yore (${first.detail}) and left as it is. Upgrade yore to read it: npm install -g yore@latest`;
}
