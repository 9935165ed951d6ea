import type { HookReply } from '../agents/hook-protocol.ts';
import { createDigestReader, DigestStore } from '../memory/digest/digest-store.ts';
import type { RecallContext } from '../memory/recall/recall-prompt.ts';
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

/** Reads what sessions were about, for recall. */
export function createWorkReader(): RecallContext['work'] {
  return createDigestReader();
}
