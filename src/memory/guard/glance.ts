import { join } from 'node:path';
import { type NewLines, readSince } from '../../log/follow.ts';
import { analyseCall } from '../call/analyse-call.ts';
import type { CallFields } from '../call/describe-call.ts';
import { FailureSnapshot } from './book-file.ts';
import { FailureLookup } from './known-failures.ts';
import { GUARD_LOGS } from './log-record.ts';
import { readRecent } from './recent-file.ts';
import { type CandidateOptions, type FailureCandidate, findCandidates } from './suspects.ts';
import { parseWarningRecord } from './warning-log.ts';

/**
 * What speaks against a call, as the guard's files tell it: without what reads the logs, judges, warns or records, which
 * takes far longer to load. Where there is nothing, a `Guard` has nothing to say either. `unclear` when the files are
 * damaged or do not know all that is in the logs; then only a `Guard` can tell. Never throws.
 */
export function quickCheck(
  directory: string,
  fields: CallFields,
  options: CandidateOptions,
): readonly FailureCandidate[] | 'unclear' {
  let file: FailureSnapshot | undefined;
  try {
    file = FailureSnapshot.open(join(directory, 'guard.idx'));
    const recent = readRecent(join(directory, 'guard.recent'), file, FailureLookup);
    const lines = readSince(directory, GUARD_LOGS, recent?.cursor ?? file?.cursor);
    if (lines.restarted || (lines.pending && hasNews(lines))) return 'unclear';
    return findCandidates(recent?.book ?? new FailureLookup(file), analyseCall(fields), fields, options);
  } catch {
    return 'unclear';
  } finally {
    file?.close();
  }
}

/** That a warning was given, as in the rest of a turn after one, says nothing about what fails. */
function hasNews({ entries }: NewLines): boolean {
  for (const { log, line } of entries) {
    if (log !== 'warnings' || parseWarningRecord(JSON.parse(line.text))?.kind !== 'warning') return true;
  }
  return false;
}
