import type { Outcome, SessionItem } from '../../../src/server/rpc/api.ts';
import { server } from '../rpc/server.ts';
import { idOf } from './session-content.ts';

/** The outcomes that sessions are counted by. */
export type AttemptOutcome = Extract<Outcome, 'failure' | 'success'>;

const PAGE = 500;
/** Pages that are read at most: whoever asks waits for them. */
const MOST_PAGES = 60;

/** Id of the first attempt with an outcome after a row, from the beginning again after the end; undefined: there is none. */
export async function nextAttempt({
  session,
  project,
  outcome,
  after,
}: {
  readonly session: string;
  readonly project: string;
  readonly outcome: AttemptOutcome;
  readonly after: number;
}): Promise<string | undefined> {
  let offset = after + 1;
  let hasTurned = after < 0;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const params = { id: session, ...(project === '' ? {} : { project }), offset, limit: PAGE };
    const { entries, total } = await server.call('history.getSession', params);
    const found = entries.find((item) => isOf(item, outcome));
    if (found !== undefined) return idOf(found);
    offset += entries.length;
    if (offset < total && entries.length > 0) continue;
    if (hasTurned) return undefined;
    hasTurned = true;
    offset = 0;
  }
  return undefined;
}

function isOf(item: SessionItem, outcome: AttemptOutcome): boolean {
  return item.type === 'attempt' && item.attempt.outcome === outcome;
}
