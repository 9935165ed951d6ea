import { join } from 'node:path';
import type { HookEvent, HookReply } from '../agents/hook-protocol.ts';
import { isInjecting } from '../config/config.ts';
import type { Guard } from '../memory/guard/guard.ts';
import { recallPrompt } from '../memory/recall/recall-prompt.ts';
import { parseRecapQuestion } from '../memory/recap/recap-question.ts';
import { PromptHistory } from '../prompts/prompt-history.ts';
import { omitUndefined } from '../record/object.ts';
import { ProjectHandle } from '../recording/project-handle.ts';
import { Recorder } from '../recording/recorder.ts';
import { Spool } from '../recording/spool.ts';
import { isTypedPrompt } from '../text/is-typed-prompt.ts';
import type { HookContext } from './hook-context.ts';
import { SessionMarks } from './session-marks.ts';

/** The beginning of a prompt shows whether the user or a program wrote it. */
const MAX_EXAMINED_CHARS = 1_900;

/** Records a prompt of the user, and replies with what is known about it; usually nothing. */
export async function onPrompt(
  { text }: Extract<HookEvent, { type: 'prompt' }>,
  context: HookContext,
): Promise<HookReply> {
  const { agent, session, home, now } = context;
  const { sessionId, cwd } = session;
  // In a sub-agent the prompt is from the parent's model, not from the user.
  if (session.parentSessionId !== undefined || !isTypedPrompt(text.slice(0, MAX_EXAMINED_CHARS))) return {};
  const project = ProjectHandle.enter(cwd, context) ?? ProjectHandle.find(cwd, context);
  if (project === undefined) return {};
  const { config, directory, info } = project;
  const marks = new SessionMarks(directory, sessionId);
  // Spooled calls belong to the previous request, and "that worked" refers to the last of them.
  if (!new Spool(directory).isEmpty()) await project.drainSpool(context);
  const recorder = new Recorder(project.recorderOptions());
  const isNew = agent.hooks?.mayRepeatEvents !== true || marks.isFirst(text, now());
  if (project.isRecording() && isNew) {
    const timestamp = new Date(now()).toISOString();
    const branch = project.branch();
    recorder.recordPrompt({ sessionId, text, timestamp, agent: agent.name, ...omitUndefined({ branch }) });
    new PromptHistory(join(home, 'prompts.json'), now).defer(text, info.projectHash);
  }
  if (!isInjecting(config)) return {};
  return await findReply(text, project, recorder.guard, marks, context);
}

/** The code that reads sessions is loaded only when one of them is relevant, which is rare. */
async function findReply(
  text: string,
  project: ProjectHandle,
  guard: Guard,
  marks: SessionMarks,
  { session: { sessionId }, now }: HookContext,
): Promise<HookReply> {
  const span = parseRecapQuestion(text, now());
  if (span !== undefined) return (await import('./prompt-replies.ts')).replyWithRecap(project, span, now);
  const { directory, config } = project;
  const recallContext = { directory, config, now, guard };
  const options = { sessionId, alreadyShown: marks.shown() };
  let isSessionRelevant = false;
  const noteRelevantSession = (): undefined => {
    isSessionRelevant = true;
  };
  const fromFailures = recallPrompt(text, { ...recallContext, digest: noteRelevantSession }, options);
  const found = isSessionRelevant
    ? (await import('./prompt-replies.ts')).recallSessions(text, recallContext, options)
    : fromFailures;
  if (found === undefined) return {};
  marks.addShown(found.id);
  const whose = found.project === undefined ? 'this project' : 'another project of the user';
  const lines = found.lines.map(({ text }) => text).join('\n');
  return { context: `From the history of ${whose}, as yore recorded it:\n${lines}` };
}
