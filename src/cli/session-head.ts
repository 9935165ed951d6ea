import type { ProjectInfo, SessionSummary } from '../record/index.ts';
import type { SessionHead } from './output/session-text.ts';

/** What is printed above a session. */
export function sessionHead(summary: SessionSummary, project: ProjectInfo): SessionHead {
  return { ...summary, title: summary.preview, project: project.displayName };
}
