import type { Connection } from './connection.ts';
import type { ScannedFile } from './scan.ts';
import { compareFiles, findFiles, type ProjectSource, trackedFiles } from './tracked-files.ts';

/** All log files of some projects, to be read from their beginning. */
export function allFiles(projects: readonly ProjectSource[]): readonly ScannedFile[] {
  return projects.flatMap(({ id, directory }) =>
    findFiles(directory).map(({ log, path }) => ({ project: id, log, path, from: 0 })),
  );
}

/** The log files that the index does not have all of, and how many bytes it lacks. */
export function unindexedFiles(
  connection: Connection,
  projects: readonly ProjectSource[],
): { readonly files: readonly ScannedFile[]; readonly bytes: number } {
  const files: ScannedFile[] = [];
  let bytes = 0;
  for (const { id, directory } of projects) {
    const project = connection.get<{ readonly id: number }>('SELECT id FROM project WHERE name = ?', id);
    const changes = compareFiles(project ? trackedFiles(connection, project.id) : [], directory, 0);
    bytes += changes.bytes;
    for (const { found, known } of changes.pending) {
      files.push({ project: id, log: found.log, path: found.path, from: known?.offset ?? 0 });
    }
  }
  return { files, bytes };
}
