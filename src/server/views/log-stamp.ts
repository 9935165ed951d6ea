import { statIfExists } from '../../files/index.ts';
import { type LogName, listSegments } from '../../log/index.ts';

const LOGS: readonly LogName[] = ['history', 'failures', 'successes', 'warnings'];

/** A text that is another one whenever the logs of a project are. */
export function logStamp(directory: string): string {
  return LOGS.flatMap((log) => listSegments(directory, log))
    .map(({ name, path }) => {
      const found = statIfExists(path);
      return `${name} ${found?.ino} ${found?.size} ${found?.mtimeMs}`;
    })
    .join('\n');
}
