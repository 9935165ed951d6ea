import type { SearchHit, SessionHits } from '../../search/index.ts';
import type { MemorySource } from './memory-source.ts';
import { cite, day, oneLine } from './memory-text.ts';

const MOST_SESSIONS = 4;
const HITS_OF_SESSION = 2;
const LOOKED_AT = 40;

/** What was recalled for a question, and where the history speaks of it. */
export function answerFromHistory(question: string, { home, project }: MemorySource): string {
  const recalled = project.memory.recall(question)?.lines ?? [];
  const { sessions } = home.search({
    text: question,
    projects: [project.info.projectHash],
    limit: LOOKED_AT,
  });
  const found = sessions
    .map((session) => ({ ...session, hits: session.hits.filter((hit) => !isQuestionItself(hit, question)) }))
    .filter(({ hits }) => hits.length > 0)
    .slice(0, MOST_SESSIONS);
  if (recalled.length === 0 && found.length === 0) return nothingFound();
  return [
    ...(recalled.length > 0
      ? ['From this project’s memory:', '', ...recalled.map((line) => `- ${line}`), '']
      : []),
    ...(found.length > 0 ? ['In the history:', '', ...found.flatMap(sessionLines)] : []),
    '',
    `\`yore show ID\` shows a session, \`/load ID\` goes on with it.`,
  ]
    .join('\n')
    .trim();
}

function sessionLines({ sessionId, timestamp, hits }: SessionHits): readonly string[] {
  return [
    `${day(timestamp)} ${cite(sessionId)}`,
    ...hits.slice(0, HITS_OF_SESSION).map((hit) => `- ${speaker(hit)}: ${oneLine(hit.snippet.text)}`),
  ];
}

function speaker({ kind, role, outcome }: SearchHit): string {
  if (kind === 'attempt')
    return outcome === 'success' ? 'worked' : outcome === 'failure' ? 'failed' : 'tried';
  return role === 'user' ? 'you' : 'the agent';
}

/** What was just asked is in the history already. */
function isQuestionItself(hit: SearchHit, question: string): boolean {
  return hit.role === 'user' && oneLine(hit.snippet.text) === oneLine(question);
}

function nothingFound(): string {
  return [
    'Nothing in this project’s history speaks of that.',
    '',
    'Other words may find it: a file, a package, an error. `yore search` looks through all projects.',
  ].join('\n');
}
