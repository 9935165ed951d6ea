import {
  type InputRequiredResult,
  type McpServer,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { YoreError } from '../record/index.ts';
import { oneLine } from '../text/one-line.ts';
import { MOST_CHARACTERS } from './answer.ts';
import { type CallPlace, type CallPlaces, nameOf, nothingRecorded, projectOf } from './call-place.ts';
import { knowledgeText } from './knowledge-text.ts';
import { minuteOf, QUOTED } from './quoted-text.ts';
import { sessionText } from './tools/session.ts';

const LISTED_SESSIONS = 10;
const MARKDOWN = 'text/markdown';

/** Adds what can be read without a tool: the briefing, the knowledge and the sessions of the project. */
export function registerResources(server: McpServer, places: CallPlaces): void {
  const reader =
    (text: (place: CallPlace) => string) =>
    async (uri: URL, context: ServerContext): Promise<ReadResourceResult | InputRequiredResult> =>
      places.use(context, (place) => contents(uri, MARKDOWN, text(place)));

  server.registerResource(
    'briefing',
    'yore://briefing',
    {
      title: 'Briefing',
      description:
        'What an agent should know at the start of a session: known failures, what works, where the last session ended.',
      mimeType: MARKDOWN,
    },
    reader(briefingText),
  );
  server.registerResource(
    'knowledge',
    'yore://knowledge',
    {
      title: 'Knowledge',
      description:
        'What the sessions of this project taught: what to avoid, what works, its commands, recurring tasks.',
      mimeType: MARKDOWN,
    },
    reader(knowledge),
  );
  server.registerResource(
    'session',
    new ResourceTemplate('yore://session/{id}', {
      list: async (context) => ({ resources: await places.useKnown(context, latestSessions) }),
      complete: { id: (value) => places.completeSession(value) },
    }),
    { title: 'Session', description: 'The first page of a recorded session.', mimeType: 'text/plain' },
    async (uri, { id }, context) => places.use(context, (place) => sessionPage(uri, place, id, '1')),
  );
  server.registerResource(
    'session-page',
    new ResourceTemplate('yore://session/{id}/{page}', { list: undefined }),
    {
      title: 'Page of a session',
      description: 'A page of a recorded session, from 1.',
      mimeType: 'text/plain',
    },
    async (uri, { id, page }, context) => places.use(context, (place) => sessionPage(uri, place, id, page)),
  );
}

/** The briefing of the project that is worked in, with what is new taken in first. */
export function briefingText(place: CallPlace): string {
  const project = projectOf(place);
  if (project === undefined) return nothingRecorded(place);
  project.memory.synthesise();
  const { text } = project.memory.briefing();
  return text === '' ? `Nothing is known of ${nameOf(project)} yet.` : `${QUOTED}\n${text}`;
}

function knowledge(place: CallPlace): string {
  const project = projectOf(place);
  if (project === undefined) return nothingRecorded(place);
  const text = knowledgeText(nameOf(project), project.memory.synthesise(), MOST_CHARACTERS);
  return text === '' ? `Nothing is known of ${nameOf(project)} yet.` : `${QUOTED}\n${text}`;
}

function latestSessions(place: CallPlace): Resource[] {
  const project = projectOf(place);
  if (project === undefined) return [];
  const filter = { projects: [project.info.projectHash], limit: LISTED_SESSIONS };
  return place.home.listSessions(filter).sessions.map(({ sessionId, preview, agent, lastActivity }) => ({
    uri: `yore://session/${encodeURIComponent(sessionId)}`,
    name: oneLine(sessionId, 200),
    title: oneLine(preview, 100),
    description: [agent === undefined ? undefined : oneLine(agent, 40), minuteOf(lastActivity)]
      .filter((part) => part !== undefined)
      .join(', '),
    mimeType: 'text/plain',
  }));
}

function sessionPage(
  uri: URL,
  place: CallPlace,
  id: string | string[] | undefined,
  page: string | string[] | undefined,
): ReadResourceResult {
  const number = Number(page);
  if (typeof id !== 'string' || !Number.isSafeInteger(number) || number < 1)
    throw new ResourceNotFoundError(uri.href);
  try {
    return contents(uri, 'text/plain', sessionText(place, decoded(id), number));
  } catch (error) {
    if (error instanceof YoreError && error.code === 'NOT_FOUND') {
      throw new ResourceNotFoundError(uri.href, oneLine(error.message, 500));
    }
    throw error;
  }
}

function contents(uri: URL, mimeType: string, text: string): ReadResourceResult {
  return { contents: [{ uri: uri.href, mimeType, text }] };
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
