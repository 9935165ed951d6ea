import type { HookReply } from '../agents/wire/hook-event.ts';
import { DigestStore, type Recollection, recap, recapText, type TimeSpan } from '../memory/index.ts';
import { type RecallContext, recallPrompt } from '../memory/recall/recall-prompt.ts';
import type { ProjectHandle } from '../recording/project-handle.ts';

/** Sessions that an answer to "what have we worked on?" looks at. */
const MOST_SESSIONS = 60;

/** The answer to "what have we worked on?". */
export function tellRecap(project: ProjectHandle, span: TimeSpan, now: () => number): HookReply {
  const digests = DigestStore.open(project.directory).recent(MOST_SESSIONS, now());
  if (digests.length === 0) return {};
  const told = recapText(recap(digests, span), project.config.get('retrieval.maxContextSize'));
  return { context: `What was worked on in this project, as yore recorded it:\n${told}` };
}

/** What earlier sessions have to say to a prompt. */
export function recallSessions(
  text: string,
  surroundings: Omit<RecallContext, 'digest'>,
  options: Parameters<typeof recallPrompt>[2],
): Recollection | undefined {
  const book = DigestStore.open(surroundings.directory);
  return recallPrompt(text, { ...surroundings, digest: (id) => book.digest(id) }, options);
}
