import { answer } from '../../chat/memory-responder/answer.ts';
import { answerHook, type HookRequest } from '../../hook/answer-hook.ts';
import type { Home } from '../../project/index.ts';
import { latestMessages, shownMessages } from '../chat/shown-messages.ts';
import { projectById } from '../project-by-id.ts';
import { findFiles } from '../views/find-files.ts';
import { foundSessions } from '../views/found-sessions.ts';
import { evidenceOf, memoryView } from '../views/memory-view.ts';
import { ProjectViews } from '../views/project-views.ts';
import { SessionPages } from '../views/session-pages.ts';
import type { IndexStep, JobTable } from './jobs.ts';
import { McpCalls } from './mcp-calls.ts';

/** So long the index is filled before others get their turn. */
const STEP_MS = 300;

/** The jobs over a home that leaves indexing to them (see `indexing` of `HomeOptions`). */
export function jobTable(home: Home, now: () => number): JobTable {
  const views = new ProjectViews(home, now);
  const sessions = new SessionPages(home);
  const mcp = new McpCalls({ home: home.path, env: home.env, now });
  const project = (id: string) => projectById(home, id);
  return {
    catchUp: () => indexStep(home),
    search: (query) => foundSessions(home, query),
    listSessions: (filter) => {
      const listed = home.listSessions(filter);
      return { sessions: listed.sessions, total: listed.total, complete: true };
    },
    page: (part) => sessions.page(part),
    messages: ({ project: id, sessionId }) =>
      latestMessages(shownMessages(project(id).history.getSessionRecords(sessionId).messages)),
    forget: ({ project: id, id: pattern }) => {
      home.forgetPattern(project(id), pattern);
      return null;
    },
    overview: ({ project: id }) => views.overview(project(id)),
    timeline: ({ project: id, ...part }) => views.timeline(project(id), part),
    memory: ({ project: id }) => memoryView(project(id), now()),
    evidence: ({ project: id, id: pattern }) => ({ evidence: evidenceOf(project(id), pattern) }),
    choose: ({ project: id, id: pattern, choice }) => {
      project(id).memory.choose(choice, pattern);
      return null;
    },
    synthesise: ({ project: id }) => {
      project(id).memory.synthesise();
      return null;
    },
    answer: ({ project: id, ...asked }) => answer(asked, { home, project: project(id), now }),
    drain: () => {
      home.drain();
      return null;
    },
    mcp: (call) => mcp.answer(call),
    hook: ({ request, userHome }) => hookAnswer(home, now, request, userHome),
    files: ({ root, query }) => ({ files: findFiles(root, query) }),
  };
}

function hookAnswer(home: Home, now: () => number, request: HookRequest, userHome: string): Promise<string> {
  const started = performance.now();
  const elapsed = (): number => performance.now() - started;
  return answerHook(request, { home: home.path, env: home.env, userHome, now, elapsed });
}

/** Says that it is the turn of others; what was taken in by then is kept. */
class Pause extends Error {}

function indexStep(home: Home): IndexStep {
  const started = performance.now();
  let left = 0;
  try {
    const { complete } = home.catchUp((done, total) => {
      left = total - done;
      if (left > 0 && performance.now() - started > STEP_MS) throw new Pause();
    });
    return { left: 0, complete };
  } catch (error) {
    if (!(error instanceof Pause)) throw error;
    return { left, complete: false };
  }
}
