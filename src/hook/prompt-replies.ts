import type { HookReply } from '../agents/hook-protocol.ts';
import { createDigestReader, DigestStore } from '../memory/digest/digest-store.ts';
import { type RecallContext, type RecallPromptOptions, recallPrompt } from '../memory/recall/recall-prompt.ts';
import type { Recollection } from '../memory/recall/recollection.ts';
import { formatRecap, recap } from '../memory/recap/recap.ts';
import type { TimeSpan } from '../memory/recap/timeline.ts';
import type { ProjectHandle } from '../recording/project-handle.ts';
import { FRAME_LENGTH, frameRecorded } from '../text/recorded-text.ts';

const MAX_RECAP_SESSIONS = 60;

/** The reply to "what have we worked on?". */
export function replyWithRecap(project: ProjectHandle, span: TimeSpan, now: () => number): HookReply {
  const digests = DigestStore.open(project.directory).recent(MAX_RECAP_SESSIONS, now());
  if (digests.length === 0) return {};
  const text = formatRecap(recap(digests, span), project.config.get('retrieval.maxContextSize') - FRAME_LENGTH);
  return text === '' ? {} : { context: frameRecorded(text) };
}

/** What earlier sessions have to say about a prompt. */
export function recallSessions(
  text: string,
  context: Omit<RecallContext, 'work'>,
  options: RecallPromptOptions,
): Recollection | undefined {
  return recallPrompt(text, { ...context, work: createDigestReader() }, options);
}
