import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The product as the benchmarks use it: the index to catch up, yore's home for what users ask.
 * @param {import('./runner/context.mjs').Context} context
 * @param {string} folder a yore home
 */
export async function openProduct(context, folder) {
  const { SearchIndex } = await context.load('search/index.js');
  const { searchableText } = await context.load('search/searchable.js');
  const { openHome } = await context.load('project/index.js');
  const index = SearchIndex.open(folder);
  const home = openHome({ home: folder });
  const projects = projectsIn(folder);
  return {
    /** Takes in what is new in the logs. */
    catchUp: () => index.catchUp(projects),
    /** @param {string} text */
    search: (text) => home.search({ text }),
    /** @param {number} limit */
    listSessions: (limit) => home.listSessions({ limit }).sessions,
    /** @param {{project: string, sessionId: string}} session */
    openSession: ({ project, sessionId }) => home.findProjectByName(project).session(sessionId),
    /** The text of a record in which is searched. @param {object} record */
    textOf: (record) => searchableText(record),
    close() {
      index.close();
      home.close();
    },
  };
}

/** The projects of a home, as the index wants them. @param {string} home */
export function projectsIn(home) {
  return readdirSync(join(home, 'projects')).map((id) => ({ id, directory: join(home, 'projects', id) }));
}
