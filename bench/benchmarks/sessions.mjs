import { buildIndexes } from '../indexes.mjs';
import { measureTime, median } from '../measure.mjs';
import { atMost } from '../runner/result.mjs';

const ROUNDS = 31;

/** How long it takes to list and open sessions. */
export const sessions = {
  group: 'sessions',
  description: 'list the newest 50 sessions of all projects, and open them',
  names: {
    'sessions.list': 'median time to list the newest 50 sessions',
    'sessions.open': 'median time to open a session',
  },
  async *run(context) {
    const { product } = await buildIndexes(context);
    const listed = product.listSessions(50);
    if (listed.length !== 50) throw new Error(`${listed.length} sessions were listed instead of 50`);
    const list = Array.from({ length: ROUNDS }, () => measureTime(() => product.listSessions(50)));
    const open = listed.map((session) => measureTime(() => product.openSession(session)));
    yield atMost('sessions.list', median(list), 'ms', 25);
    yield atMost('sessions.open', median(open), 'ms', 25);
  },
};
