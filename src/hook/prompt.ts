import { join } from 'node:path';
import type { HookEvent, HookReply } from '../agents/hook-protocol.ts';
import { parseRecapQuestion } from '../ask/recap-question.ts';
import { isInjecting } from '../config/config.ts';
import { hasFeedback } from '../facts/attempt/feedback.ts';
import { PendingPrompts } from '../prompts/pending-prompts.ts';
import { omitUndefined } from '../record/object.ts';
import { ProjectHandle } from '../recording/project-handle.ts';
import { type NewPrompt, recordPrompt } from '../recording/record-prompt.ts';
import { SessionRequests } from '../recording/session-requests.ts';
import { isSpoolEmpty, spoolPaths } from '../recording/spooled-call.ts';
import { isRecallable } from '../search/recall/recall.ts';
import { frameRecollection } from '../search/recall/recollection.ts';
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
  if (!isSpoolEmpty(spoolPaths(directory))) await project.drainSpool(context);
  const isNew = agent.hooks?.mayRepeatEvents !== true || marks.isFirst(text, now());
  if (project.isRecording() && isNew) {
    const timestamp = new Date(now()).toISOString();
    const branch = project.branch();
    await record({ sessionId, text, timestamp, agent: agent.name, ...omitUndefined({ branch }) }, project);
    new PendingPrompts(join(home, 'prompts.json')).add(text, info.projectHash, now());
  }
  return isInjecting(config) ? await findReply(text, project, marks, context) : {};
}

/** The code that analyses attempts is loaded only for feedback on one, which is rare. */
async function record(prompt: NewPrompt, project: ProjectHandle): Promise<void> {
  const { directory } = project;
  if (!hasFeedback(prompt.text)) {
    recordPrompt(prompt, new SessionRequests(directory), { directory, isShortLived: true });
    return;
  }
  const { Recorder } = await import('../recording/recorder.ts');
  new Recorder(project.recorderOptions()).recordPrompt(prompt);
}

/** The code that reads sessions is loaded only when one of them is relevant, which is rare. */
async function findReply(
  text: string,
  project: ProjectHandle,
  marks: SessionMarks,
  { session: { sessionId }, now }: HookContext,
): Promise<HookReply> {
  const span = parseRecapQuestion(text, now());
  if (span !== undefined) return (await import('./prompt-replies.ts')).replyWithRecap(project, span);
  if (!isRecallable(text)) return {};
  const { config } = project;
  const { recallPrompt } = await import('../search/recall/recall-prompt.ts');
  const options = { sessionId, alreadyShown: marks.shown() };
  const found = (await project.guard()).ask((guard) => recallPrompt(text, { config, now, guard }, options));
  if (found === undefined) return {};
  for (const id of [found.id, ...(found.decisionIds ?? [])]) marks.addShown(id);
  return { context: frameRecollection(found) };
}
