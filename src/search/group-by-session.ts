import type { SearchHit, SessionHits } from './search-result.ts';

/** Hits by session: the session with the best hit first, within it the best hit first. */
export function groupBySession(hits: readonly SearchHit[]): readonly SessionHits[] {
  const groups = new Map<string, SearchHit[]>();
  for (const hit of hits) {
    const key = `${hit.project} ${hit.sessionId}`;
    const group = groups.get(key);
    if (group) group.push(hit);
    else groups.set(key, [hit]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const timestamp =
      group
        .map((hit) => hit.timestamp)
        .sort()
        .at(-1) ?? first.timestamp;
    return [{ sessionId: first.sessionId, project: first.project, timestamp, hits: group }];
  });
}
