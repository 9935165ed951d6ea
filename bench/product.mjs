import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Opens a home for the benchmarks: its index to catch up, the home itself for queries.
 * @param {import('./runner/context.mjs').Context} context
 * @param {string} folder a yore home
 */
export async function openProduct(context, folder) {
  const { SearchIndex } = await context.load('search/index.js');
  const { joinText, searchedText } = await context.load('store/searchable.js');
  const { openHome } = await context.load('project/index.js');
  const index = SearchIndex.open(folder);
  const home = openHome({ home: folder });
  const projects = projectsIn(folder);
  return {
    /** Indexes what is new in the logs. */
    catchUp: () => index.catchUp(projects),
    /** @param {string} text */
    search: (text) => home.search({ text }),
    /** @param {number} limit */
    listSessions: (limit) => home.listSessions({ limit }).sessions,
    /** @param {{project: string, sessionId: string}} session */
    openSession: ({ project, sessionId }) => home.findProjectByName(project).session(sessionId),
    /** The text of a record that the index covers. @param {object} record */
    searchableText: (record) => joinText(searchedText(record)),
    close() {
      index.close();
      home.close();
    },
  };
}

/** The projects of a home, for `SearchIndex.catchUp()`. @param {string} home */
export function projectsIn(home) {
  return readdirSync(join(home, 'projects')).map((id) => ({ id, directory: join(home, 'projects', id) }));
}
