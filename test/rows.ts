import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { onTestFinished } from 'vitest';
import { pendingCalls } from '../src/recording/pending-calls.ts';
import { SearchIndex } from '../src/search/index.ts';
import { OverlaidStore } from '../src/store/overlay.ts';
import type { ProjectRows, RowSource } from '../src/store/project-rows.ts';
import type { ProjectSource } from '../src/store/tracked-files.ts';

/** The rows of the project whose logs are in a folder, brought up to date before each question, as commands see them. */
export function storedRows(directory: string, options: Partial<Options> = {}): RowSource {
  const { home, project } = complete(directory, options);
  const index = SearchIndex.open(home);
  onTestFinished(() => index.close());
  return {
    ask: (work) => {
      index.catchUp([project]);
      return index.ask(project.id, work);
    },
  };
}

/** The same rows as hooks see them: what the store has, with what was recorded since laid over it. */
export function overlaidRows(directory: string, options: Partial<Options> = {}): RowSource {
  const { home, project } = complete(directory, options);
  return new OverlaidStore({ home, project, pending: () => pendingCalls(directory), now: Date.now });
}

/** Rows that are asked both ways, and must give the same answer: first without the store, then with it. */
export function bothRows(directory: string, options: Partial<Options> = {}): RowSource {
  const overlaid = overlaidRows(directory, options);
  const stored = storedRows(directory, options);
  return {
    ask: (work: (rows: ProjectRows) => unknown, needsAll?: (rows: ProjectRows) => boolean) => {
      const before = overlaid.ask(work, needsAll);
      const answer = stored.ask(work);
      for (const other of [before, overlaid.ask(work, needsAll)])
        if (!isDeepStrictEqual(other, answer))
          throw new Error(`hooks and commands disagree: ${JSON.stringify(other)} and ${JSON.stringify(answer)}`);
      return answer as never;
    },
  };
}

interface Options {
  /** yore's home. Default: a folder in it. */
  readonly home: string;
  readonly id: string;
}

function complete(directory: string, { home = join(directory, 'home'), id = 'project' }: Partial<Options>) {
  mkdirSync(home, { recursive: true });
  const project: ProjectSource = { id, directory };
  return { home, project };
}
