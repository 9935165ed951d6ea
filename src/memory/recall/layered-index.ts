import { hashOfId, sessionOf } from './recall-block.ts';
import type { RecallIndex } from './recall-index.ts';

/** An index on which another one lies: sessions that are new, and newer versions of some of its own. */
export function layeredIndex(base: RecallIndex, recent: RecallIndex): RecallIndex {
  const replaced = new Set<number>();
  for (let session = 0; session < recent.sessionCount; session++) {
    const place = placeOf(base, sessionOf(recent.block(session)));
    if (place !== undefined) replaced.add(place);
  }
  return {
    sessionCount: base.sessionCount - replaced.size + recent.sessionCount,
    places: base.places + recent.places,
    sessionsWith(hash) {
      const older = base.sessionsWith(hash);
      const newer = recent.sessionsWith(hash).map((session) => base.places + session);
      return [...(replaced.size === 0 ? older : older.filter((session) => !replaced.has(session))), ...newer];
    },
    block: (session) => (session < base.places ? base.block(session) : recent.block(session - base.places)),
  };
}

function placeOf(index: RecallIndex, sessionId: string): number | undefined {
  return index
    .sessionsWith(hashOfId(sessionId))
    .find((session) => sessionOf(index.block(session)) === sessionId);
}
