import { join } from 'node:path';
import { type NewLines, readSince } from '../../log/follow.ts';
import { analyseCall } from '../call/analyse-call.ts';
import type { CallFields } from '../call/describe-call.ts';
import { BookFile } from './book-file.ts';
import { KnownFailures } from './known-failures.ts';
import { GUARD_LOGS } from './log-record.ts';
import { readRecent } from './recent-file.ts';
import { type Suspect, type SuspectOptions, suspectsOf } from './suspects.ts';
import { parseWarningEntry } from './warning-log.ts';

/**
 * What speaks against a call, as the guard's files tell it: without what reads the logs, judges, warns or records, which
 * takes far longer to load. Where there is nothing, a `Guard` has nothing to say either. `unclear` when the files are
 * damaged or do not know all that is in the logs; then only a `Guard` can tell. Never throws.
 */
export function glance(
  directory: string,
  fields: CallFields,
  options: SuspectOptions,
): readonly Suspect[] | 'unclear' {
  let file: BookFile | undefined;
  try {
    file = BookFile.open(join(directory, 'guard.idx'));
    const recent = readRecent(join(directory, 'guard.recent'), file, KnownFailures);
    const lines = readSince(directory, GUARD_LOGS, recent?.cursor ?? file?.cursor);
    if (lines.restarted || (lines.pending && hasNews(lines))) return 'unclear';
    return suspectsOf(recent?.book ?? new KnownFailures(file), analyseCall(fields), fields, options);
  } catch {
    return 'unclear';
  } finally {
    file?.close();
  }
}

/** That a warning was given, as in the rest of a turn after one, says nothing about what fails. */
function hasNews({ entries }: NewLines): boolean {
  for (const { log, line } of entries) {
    if (log !== 'warnings' || parseWarningEntry(JSON.parse(line.text))?.kind !== 'warning') return true;
  }
  return false;
}
