import type { HookReply } from '../agents/hook-protocol.ts';
import { formatRecap, recap } from '../ask/recap.ts';
import type { TimeSpan } from '../ask/timeline.ts';
import type { ProjectHandle } from '../recording/project-handle.ts';
import { FRAME_LENGTH, frameRecorded } from '../text/recorded-text.ts';

/** The latest days that are read for a question without a time. */
const MAX_RECAP_DAYS = 14;

/** The reply to "what have we worked on?". */
export async function replyWithRecap(project: ProjectHandle, span: TimeSpan): Promise<HookReply> {
  const rows = await project.rows();
  const found = rows.ask((each) => recap(each, { days: MAX_RECAP_DAYS, ...span }));
  if (found === undefined || found.days.length === 0) return {};
  const text = formatRecap(found, project.config.get('retrieval.maxContextSize') - FRAME_LENGTH);
  return text === '' ? {} : { context: frameRecorded(text) };
}
