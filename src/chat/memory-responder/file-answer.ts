import type { SessionDigest } from '../../memory/index.ts';
import { listRecentWork } from './history-facts.ts';
import { formatCode, formatDay, formatQuote, formatSource, formatText, shortSessionId } from './memory-text.ts';
import type { MemorySource } from './question.ts';

const MAX_SESSIONS = 5;

/** Who changed a file, when and for which request, the latest first. Undefined when nobody did. */
export function answerFile(path: string, source: MemorySource): string | undefined {
  const sessions = listRecentWork(source).filter(({ files }) => files.some((file) => isSameFile(file, path)));
  const [latest] = sessions;
  if (latest === undefined) return undefined;
  return [
    `${formatCode(path)} was changed in:`,
    '',
    ...sessions.slice(0, MAX_SESSIONS).map((session) => `- ${describeChange(session, path)}`),
    '',
    `\`yore show ${shortSessionId(latest.sessionId)}\` shows the latest of these sessions.`,
  ].join('\n');
}

/** `jwt.ts` and `auth/jwt.ts` name `src/auth/jwt.ts`. */
function isSameFile(file: string, path: string): boolean {
  return file === path || file.endsWith(`/${path}`);
}

function describeChange({ agent, startedAt, sessionId, requests, commits }: SessionDigest, path: string): string {
  const request =
    requests.findLast(({ steps }) => steps.some(({ text }) => isSameFile(text, path))) ??
    requests.find(({ text }) => text !== '');
  const at = request?.at ?? startedAt;
  const who = agent === undefined ? 'someone' : formatText(agent);
  const why = request === undefined || request.text === '' ? '' : ` for ${formatQuote(request.text)}`;
  const commit = commits.find((each) => each.at >= at);
  const message =
    commit === undefined ? '' : `; committed on ${formatDay(commit.at)} as ${formatQuote(commit.message)}`;
  return `${who}${why} (${formatSource(at, sessionId)})${message}`;
}
