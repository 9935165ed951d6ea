import { buildIndexes } from '../indexes.mjs';
import { median, timeOf } from '../measure.mjs';
import { atMost } from '../runner/result.mjs';

const ROUNDS = 31;

/** What the list of sessions and a session cost. */
export const sessions = {
  group: 'sessions',
  description: 'list the newest 50 sessions of all projects, and open one of them with everything in it',
  names: {
    'sessions.list': 'median time of listing the newest 50',
    'sessions.open': 'median time of opening one',
  },
  async *run(context) {
    const { product } = await buildIndexes(context);
    const listed = product.listSessions(50);
    if (listed.length !== 50) throw new Error(`50 sessions were asked for, ${listed.length} came`);
    const list = Array.from({ length: ROUNDS }, () => timeOf(() => product.listSessions(50)));
    const open = listed.map((session) => timeOf(() => product.openSession(session)));
    yield atMost('sessions.list', median(list), 'ms', 25);
    yield atMost('sessions.open', median(open), 'ms', 25);
  },
};
