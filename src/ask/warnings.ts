import type { RecordedWarning, WarningOverride } from '../facts/warning-record.ts';
import { omitUndefined } from '../record/object.ts';
import type { ProjectRows } from '../store/project-rows.ts';
import { failureId } from './guard/warning.ts';

/** A warning that was given, and the call that was made in spite of it, if there was one. */
export interface WarningHistory {
  readonly warning: Omit<RecordedWarning, 'v' | 'kind'>;
  /** For `dismiss` and `pin`. */
  readonly failureId: string;
  readonly override?: Pick<WarningOverride, 'id' | 'timestamp' | 'succeeded'>;
}

/** How a warning ended: it is too recent to tell, the call was not made, or it was made and failed or succeeded. */
export type WarningEnding = 'open' | 'heeded' | 'overridden-failed' | 'overridden-succeeded';

/** A warning that was not overridden within this time counts as heeded. */
const OPEN_MS = 10 * 60_000;

/** Tells how a warning ended. `now`: epoch milliseconds. */
export function findWarningEnding(
  { warning, override }: Pick<WarningHistory, 'warning' | 'override'>,
  now: number,
): WarningEnding {
  if (override !== undefined) return override.succeeded ? 'overridden-succeeded' : 'overridden-failed';
  return now - Date.parse(warning.timestamp) < OPEN_MS ? 'open' : 'heeded';
}

interface WarningRow {
  readonly id: string;
  readonly at: number;
  readonly session: string;
  readonly cause: string;
  readonly agent: string | null;
  readonly signature: string;
  readonly attempt: string;
  readonly confidence: number;
  readonly what: string;
  readonly text: string;
  readonly overrideId: string | null;
  readonly overriddenAt: number | null;
  readonly succeeded: number | null;
}

/** The warnings given in a project so far, the latest first. `ofFailure`: only those about a failure. */
export function listWarnings(
  { connection, project }: ProjectRows,
  { limit = Number.POSITIVE_INFINITY, ofFailure }: { readonly limit?: number; readonly ofFailure?: string } = {},
): readonly WarningHistory[] {
  const rows = connection.all<WarningRow>(
    `SELECT warning.*, override.id AS overrideId, override.at AS overriddenAt, override.succeeded AS succeeded
     FROM warning LEFT JOIN override ON override.project = warning.project AND override.warning = warning.id
     WHERE warning.project = ? ORDER BY warning.at DESC, warning.id DESC LIMIT ?`,
    project,
    // A negative limit is none.
    ofFailure === undefined && Number.isFinite(limit) ? limit : -1,
  );
  const found = rows.map(toHistory).filter((each) => ofFailure === undefined || each.failureId === ofFailure);
  return found.slice(0, limit);
}

function toHistory(row: WarningRow): WarningHistory {
  const { id, at, session: sessionId, cause: key, agent, signature, attempt: attemptId, confidence, what, text } = row;
  const { overrideId, overriddenAt, succeeded } = row;
  return {
    warning: {
      id,
      timestamp: new Date(at).toISOString(),
      sessionId,
      key,
      ...omitUndefined({ agent: agent ?? undefined }),
      ...{ signature, attemptId, confidence, what, text },
    },
    failureId: failureId(key),
    ...(overrideId === null
      ? {}
      : {
          override: {
            id: overrideId,
            timestamp: new Date(overriddenAt ?? at).toISOString(),
            succeeded: succeeded === 1,
          },
        }),
  };
}
