import { historyHref, toHref } from '../router/router.ts';

/** The address of the page of a file. */
export function fileHref(project: string, path: string): string {
  return toHref({ page: 'files', project, params: { path } });
}

/** The address of a session, and of a record in it. */
export function sessionHref(project: string, session: string, match = ''): string {
  return historyHref({ session, sessionProject: project, match });
}
