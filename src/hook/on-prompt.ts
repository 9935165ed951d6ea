import { join } from 'node:path';
import type { HookAnswer, HookEvent } from '../agents/wire/hook-event.ts';
import { DigestBook, type Guard, recap, recapText } from '../memory/index.ts';
import { BesideAgent } from '../project/beside-agent.ts';
import { memoryBeside } from '../project/memory-beside.ts';
import { Recorder } from '../project/recorder.ts';
import { isTypedPrompt, PromptHistory } from '../prompts/index.ts';
import type { HookContext } from './hook-context.ts';
import { recapQuestion } from './recap-question.ts';
import { SessionMarks } from './session-marks.ts';

/** Sessions that an answer to "what have we worked on?" looks at. */
const MOST_SESSIONS = 60;
/** What is longer than this is a paste, whose beginning tells whether a program put it there. */
const LOOKED_AT = 1_900;

/**
 * Writes down what the user asks, and tells the agent what is known about it: mostly nothing. In sub-agents the parent's
 * model asks, which is not the user.
 */
export function onPrompt({ text }: Extract<HookEvent, { type: 'prompt' }>, context: HookContext): HookAnswer {
  const { agent, scene, beside } = context;
  const isTyped = isTypedPrompt(text.slice(0, LOOKED_AT));
  const project =
    isTyped && scene.parentSessionId === undefined
      ? (BesideAgent.enter(scene.cwd, beside) ?? BesideAgent.find(scene.cwd, beside))
      : undefined;
  if (project === undefined) return {};
  const { sessionId } = scene;
  const now = beside.now();
  const marks = new SessionMarks(project.directory, sessionId);
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
  return answerOf(text, project, recorder.guard, marks, context);
}

function answerOf(
  text: string,
  project: BesideAgent,
  guard: Guard,
  marks: SessionMarks,
  { scene: { sessionId }, beside: { now } }: HookContext,
): HookAnswer {
  const span = recapQuestion(text, now());
  if (span !== undefined) {
    const digests = DigestBook.open(project.directory).recent(MOST_SESSIONS, now());
    if (digests.length === 0) return {};
    const told = recapText(recap(digests, span), project.config.get('retrieval.maxContextSize'));
    return { context: `What was worked on in this project, as yore recorded it:\n${told}` };
  }
  const found = memoryBeside(project, guard, now).recall(text, { sessionId, alreadyShown: marks.told() });
  if (found === undefined) return {};
  marks.tell(found.id);
  return { context: `From this project's history, as yore recorded it:\n${found.lines.join('\n')}` };
}
