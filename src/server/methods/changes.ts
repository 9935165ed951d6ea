import type { ChangesOfFile, RecordedChange } from '../../project/index.ts';
import { findServedRoot, projectById } from '../find-project.ts';
import type { ChangeMethods } from '../rpc/api.ts';
import { byteSize, MAX_RESPONSE_BYTES } from '../rpc/json-rpc.ts';
import type { MethodTable } from './method.ts';
import { count, oneOf, optional, projectId, text } from './parameters.ts';

const INDEX_WAIT_MS = 200;
const MAX_PATH_LENGTH = 4096;
const MAX_OFFSET = 1_000_000_000;

/** Which sessions changed which files, and which of them wrote a line. */
export const changeMethods: MethodTable<keyof ChangeMethods> = {
  'changes.files': {
    parameters: {
      project: projectId,
      query: optional(text(200)),
      order: optional(oneOf('recent', 'changes', 'sessions', 'path')),
      limit: optional(count(1, 5000)),
    },
    runsIn: 'index',
    indexWaitMs: INDEX_WAIT_MS,
    isReplaceable: true,
    run: (filter, { home }) => home.files.list(filter),
  },
  'changes.file': {
    parameters: {
      project: projectId,
      path: text(MAX_PATH_LENGTH),
      limit: optional(count(1, 200)),
      offset: optional(count(0, MAX_OFFSET)),
    },
    runsIn: 'index',
    indexWaitMs: INDEX_WAIT_MS,
    isReplaceable: true,
    run: ({ project, path, ...page }, { home }) => withinSize(home.files.changes(project, path, page)),
  },
  'changes.blame': {
    parameters: { project: projectId, path: text(MAX_PATH_LENGTH) },
    runsIn: 'index',
    indexWaitMs: INDEX_WAIT_MS,
    isReplaceable: true,
    run: ({ project, path }, { home, cwd }) =>
      home.files.blame(project, findServedRoot(home, cwd, projectById(home, project)), path),
  },
  'changes.commit': {
    parameters: { project: projectId, hash: text(64) },
    runsIn: 'index',
    indexWaitMs: INDEX_WAIT_MS,
    run: ({ project, hash }, { home }) => ({
      changes: home.files.commits(project, hash).map(({ hunks: _, ...change }) => change),
    }),
  },
};

/** Diffs that make a response too large are left out: the change is shown as one that is recorded in part. */
function withinSize(found: ChangesOfFile): ChangesOfFile {
  let bytes = 0;
  const changes = found.changes.map((change): RecordedChange => {
    bytes += byteSize(change);
    return bytes <= MAX_RESPONSE_BYTES ? change : { ...change, hunks: [], isPartial: true };
  });
  return { ...found, changes };
}
