import { join } from 'node:path';
import type { HookEvent } from '../agents/wire/hook-event.ts';
import { takeTail } from '../intake/index.ts';
import { DigestStore, type Guard } from '../memory/index.ts';
import { PromptHistory } from '../prompts/index.ts';
import { memoryBeside } from '../recording/memory-beside.ts';
import { ProjectHandle } from '../recording/project-handle.ts';
import { Warner } from '../recording/warner.ts';
import { drainBeside } from './drain-beside.ts';
import type { HookContext } from './hook-context.ts';
import { keepBriefing } from './kept-briefing.ts';
import { reportSettings } from './report-settings.ts';
import { SessionMarks } from './session-marks.ts';
import { transcriptPath } from './transcript-path.ts';
import { transcriptsOf } from './transcripts-of.ts';

type Pause = Extract<
  HookEvent,
  { type: 'stop' | 'subagentStop' | 'beforeCompaction' | 'afterCompaction' | 'end' }
>;

/** Most of the time for what the transcript has gained. */
const TAIL_MS = 300;
/** As long as another process that writes down what hooks have left is waited for. */
const DRAIN_MS = 1_000;
/** What is left must be enough for the slowest of the rest. */
const LEAST_MS = 150;
/** More than this is taken in by the command line, not while an agent waits. */
const MOST_UNREAD = 4 * 1024 * 1024;

/**
 * When the agent has answered, compacts or ends, nobody waits for a call: what the hooks did not show is read from the
 * transcript, and what was recorded is learned from, as far as time allows. The next pause goes on.
 */
export async function onPause(event: Pause, context: HookContext): Promise<void> {
  const { scene, beside, deadline, onProblem } = context;
  const project = ProjectHandle.enter(scene.cwd, beside);
  if (project === undefined) return;
  reportSettings(project, context);
  // What is not written down yet would be taken from the transcript, and then be there twice.
  const isDrained = drainBeside(project, onProblem, Math.min(DRAIN_MS, deadline.left / 2));
  const { guard } = new Warner(project.surroundings());
  const attempt = async (work: () => void | Promise<void>): Promise<void> => {
    if (deadline.left < LEAST_MS) return;
    try {
      await work();
    } catch (error) {
      onProblem(error);
    }
  };
  if (isDrained) await attempt(() => readTail(event, project, guard, context));
  if (event.type === 'subagentStop' || event.type === 'afterCompaction') {
    await attempt(() => guard.keep(beside.now()));
    return;
  }
  await attempt(() => new PromptHistory(join(beside.home, 'prompts.json'), beside.now).save());
  await attempt(() => learn(project, guard, beside.now));
  await attempt(() => guard.tidy(beside.now(), { eagerly: true }));
  await attempt(() => project.touch());
  if (event.type === 'end') await attempt(() => new SessionMarks(project.directory, '').tidy(beside.now()));
}

async function readTail(
  event: Pause,
  project: ProjectHandle,
  guard: Guard,
  context: HookContext,
): Promise<void> {
  const { agent, scene, beside, deadline } = context;
  const path =
    event.type === 'subagentStop' && event.transcriptPath !== undefined
      ? event.transcriptPath
      : transcriptPath(agent, scene, context);
  const transcripts = path === undefined ? undefined : await transcriptsOf(agent);
  if (path === undefined || transcripts === undefined) return;
  takeTail({
    home: beside.home,
    transcripts,
    path,
    directory: project.directory,
    root: project.root,
    config: project.config,
    isRecording: () => project.isRecording(),
    budgetMs: Math.min(TAIL_MS, deadline.left - LEAST_MS),
    now: beside.now,
    isOver: event.type === 'end',
    onAttempt: (attempt) => guard.settle(attempt),
  });
}

function learn(project: ProjectHandle, guard: Guard, now: () => number): void {
  const { directory, config } = project;
  if (DigestStore.open(directory).unreadBytes() > MOST_UNREAD) return;
  const memory = memoryBeside(project, guard, now);
  memory.synthesise();
  keepBriefing(directory, config.get('retrieval.maxContextSize'), memory.briefing());
}
