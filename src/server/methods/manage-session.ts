import {
  exportHtml,
  exportJson,
  exportMarkdown,
  type Home,
  HTML_END,
  htmlStart,
  type Project,
} from '../../project/index.ts';
import { omitUndefined } from '../../record/index.ts';
import { toJson } from '../../text/sanitise.ts';
import { projectById } from '../find-project.ts';
import type { ExportedSession, ManageMethods, Methods } from '../rpc/api.ts';
import type { MethodTable } from './method.ts';
import { flag, oneOf, optional, projectId, text, texts } from './parameters.ts';

const ofSession = { id: text(300), project: optional(projectId) } as const;
type OfSession = { readonly id: string; readonly project?: string };

/** What the user does with a session: name, label, export and delete it. */
export const manageMethods: MethodTable<keyof ManageMethods> = {
  'history.label': {
    parameters: {
      ...ofSession,
      title: optional(text(1000)),
      starred: optional(flag),
      tags: optional(texts(100, 200)),
    },
    changes: true,
    runsIn: 'index',
    run: ({ title, starred, tags, ...session }, { home }) => {
      const { project, sessionId } = find(session, home);
      project.labelSession(sessionId, omitUndefined({ title, starred, tags }));
      return null;
    },
  },
  'history.planDeletion': {
    parameters: ofSession,
    runsIn: 'index',
    run: (session, { home }) => {
      const { project, sessionId } = find(session, home);
      return home.planForget(project, sessionId);
    },
  },
  'history.deleteSession': {
    parameters: ofSession,
    changes: true,
    runsIn: 'index',
    run: (session, { home }) => {
      const { project, sessionId } = find(session, home);
      home.forgetSession(project, sessionId);
      return null;
    },
  },
  'history.export': {
    parameters: { ...ofSession, format: oneOf('markdown', 'html', 'json') },
    runsIn: 'index',
    run: ({ format, ...session }, { home }) => exportSession(find(session, home), format),
  },
};

function find({ id, project }: OfSession, home: Home): { readonly project: Project; readonly sessionId: string } {
  return project === undefined ? home.findSession(id) : { project: projectById(home, project), sessionId: id };
}

function exportSession(
  { project, sessionId }: { readonly project: Project; readonly sessionId: string },
  format: Parameters<Methods['history.export']>[0]['format'],
): ExportedSession {
  const view = project.session(sessionId);
  const name = sessionId.replace(/[^\w.-]+/g, '-').slice(0, 100);
  switch (format) {
    case 'markdown':
      return { name: `${name}.md`, type: 'text/markdown', text: exportMarkdown(project, view) };
    case 'html': {
      const text = `${htmlStart(view.summary.title)}${exportHtml(project, view)}${HTML_END}`;
      return { name: `${name}.html`, type: 'text/html', text };
    }
    case 'json':
      return { name: `${name}.json`, type: 'application/json', text: `${toJson(exportJson(project, view), 2)}\n` };
  }
}
