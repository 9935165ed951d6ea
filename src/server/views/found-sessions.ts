import type { Home } from '../../project/index.ts';
import type { SearchQuery } from '../../search/index.ts';
import type { SearchAnswer } from '../rpc/api.ts';

/** What a search finds, with what is known of each session, so that a client can head its hits. */
export function foundSessions(home: Home, query: SearchQuery): SearchAnswer {
  const { sessions, hits, warnings } = home.search(query);
  const known = new Map(
    home.sessionsNamed(sessions).map((summary) => [`${summary.project} ${summary.sessionId}`, summary]),
  );
  return {
    sessions: sessions.map((found) => {
      const summary = known.get(`${found.project} ${found.sessionId}`);
      return summary === undefined ? found : { ...found, summary };
    }),
    total: hits.length,
    warnings,
  };
}
