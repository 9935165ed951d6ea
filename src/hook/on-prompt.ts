import { join } from 'node:path';
import type { HookEvent, HookReply } from '../agents/wire/hook-event.ts';
import type { Guard } from '../memory/index.ts';
import { recallPrompt } from '../memory/recall/recall-prompt.ts';
import { recapQuestion } from '../memory/recap/recap-question.ts';
import { isTypedPrompt, PromptHistory } from '../prompts/index.ts';
import { ProjectHandle } from '../recording/project-handle.ts';
import { Recorder } from '../recording/recorder.ts';
import { Spool } from '../recording/spool.ts';
import type { HookContext } from './hook-context.ts';
import { SessionMarks } from './session-marks.ts';

/** What is longer than this is a paste, whose beginning tells whether a program put it there. */
const LOOKED_AT = 1_900;

/**
 * Writes down what the user asks, and tells the agent what is known about it: mostly nothing. In sub-agents the parent's
 * model asks, which is not the user.
 */
export async function onPrompt(
  { text }: Extract<HookEvent, { type: 'prompt' }>,
  context: HookContext,
): Promise<HookReply> {
  const { agent, scene, beside } = context;
  const isTyped = isTypedPrompt(text.slice(0, LOOKED_AT));
  const project =
    isTyped && scene.parentSessionId === undefined
      ? (ProjectHandle.enter(scene.cwd, beside) ?? ProjectHandle.find(scene.cwd, beside))
      : undefined;
  if (project === undefined) return {};
  const { sessionId } = scene;
  const now = beside.now();
  const marks = new SessionMarks(project.directory, sessionId);
  // What was done before belongs to the request before, and "that worked" to what was done last.
  if (!new Spool(project.directory).isEmpty())
    (await import('./on-spooled.ts')).drainBeside(project, context.onProblem);
  const recorder = new Recorder(project.surroundings());
  if (project.isRecording() && (agent !== 'copilot' || marks.isFirst(text, now))) {
    const branch = project.branch();
    const timestamp = new Date(now).toISOString();
    recorder.prompt({
      sessionId,
      text,
      timestamp,
      agent,
      ...(branch === undefined ? {} : { branch }),
    });
    new PromptHistory(join(beside.home, 'prompts.json'), beside.now).defer(text, project.info.projectHash);
  }
  const { config } = project;
  if (!config.get('retrieval.enabled') || !config.get('retrieval.autoInject')) return {};
  return await answerOf(text, project, recorder.guard, marks, context);
}

/** Mostly nothing is known: what tells of it is loaded when something is. */
async function answerOf(
  text: string,
  project: ProjectHandle,
  guard: Guard,
  marks: SessionMarks,
  { scene: { sessionId }, beside: { now } }: HookContext,
): Promise<HookReply> {
  const span = recapQuestion(text, now());
  if (span !== undefined) return (await import('./on-prompt-known.ts')).tellRecap(project, span, now);
  const { directory, config } = project;
  const options = { sessionId, alreadyShown: marks.told() };
  let isSessionKnown = false;
  const noDigest = (): undefined => {
    isSessionKnown = true;
  };
  const failures = recallPrompt(text, { directory, config, now, guard, digest: noDigest }, options);
  const found = isSessionKnown
    ? (await import('./on-prompt-known.ts')).recallSessions(text, { directory, config, now, guard }, options)
    : failures;
  if (found === undefined) return {};
  marks.tell(found.id);
  return { context: `From this project's history, as yore recorded it:\n${found.lines.join('\n')}` };
}
