import { join } from 'node:path';
import type { HookEvent } from '../agents/hook-protocol.ts';
import { DigestStore } from '../memory/digest/digest-store.ts';
import { readGuardOptions } from '../memory/guard/check-call.ts';
import { Guard } from '../memory/guard/guard.ts';
import { ProjectMemory } from '../memory/project-memory.ts';
import { PromptHistory } from '../prompts/prompt-history.ts';
import { tryDrainSpool } from '../recording/drain-spool.ts';
import { ProjectHandle } from '../recording/project-handle.ts';
import { importTail } from '../recording/transcript/import-tail.ts';
import { findTranscript, type HookContext, reportSettings } from './hook-context.ts';
import { SessionMarks } from './session-marks.ts';
import { writeCachedBriefing } from './start.ts';

type IdleEvent = Extract<HookEvent, { type: 'stop' | 'subagentStop' | 'beforeCompaction' | 'afterCompaction' | 'end' }>;

/** Time for reading the transcript. */
const MAX_TRANSCRIPT_MS = 300;
/** How long another process that drains the spool is waited for. */
const MAX_DRAIN_WAIT_MS = 1_000;
/** A step is started only if this much time is left, enough for the slowest of them. */
const MIN_STEP_MS = 150;
/** A larger backlog is left to the command line. */
const MAX_UNDIGESTED_BYTES = 4 * 1024 * 1024;

/**
 * Catches up when the agent has replied, compacts or ends, because then no call waits: drains the spool, imports what
 * the transcript has gained, updates knowledge and snapshots. What there is no time for is left to the next time.
 */
export async function onIdle(event: IdleEvent, context: HookContext): Promise<void> {
  const { session, timeLeft, home, now, onProblem } = context;
  const project = ProjectHandle.enter(session.cwd, context);
  if (project === undefined) return;
  reportSettings(project, context);
  const options = project.recorderOptions();
  const isDrained = tryDrainSpool(options, onProblem, Math.min(MAX_DRAIN_WAIT_MS, timeLeft() / 2));
  const guard = new Guard(project.directory, readGuardOptions(project.config, options));
  const step = async (work: () => unknown): Promise<void> => {
    if (timeLeft() < MIN_STEP_MS) return;
    try {
      await work();
    } catch (error) {
      onProblem(error);
    }
  };
  // Calls that are still in the spool would be imported from the transcript, and then be recorded twice.
  if (isDrained) await step(() => importTranscript(event, project, guard, context));
  if (event.type === 'subagentStop' || event.type === 'afterCompaction') {
    await step(() => guard.store.saveChanges(now()));
    return;
  }
  await step(() => new PromptHistory(join(home, 'prompts.json'), now).save());
  await step(() => learn(project, guard, now));
  await step(() => guard.tidy(now(), { isIdle: true }));
  await step(() => project.touch());
  if (event.type === 'end') await step(() => new SessionMarks(project.directory, '').tidy(now()));
}

async function importTranscript(
  event: IdleEvent,
  project: ProjectHandle,
  guard: Guard,
  context: HookContext,
): Promise<void> {
  const { agent, home, timeLeft } = context;
  const ofSubagent = event.type === 'subagentStop' ? event.transcriptPath : undefined;
  const path = ofSubagent ?? findTranscript(context);
  if (path === undefined || agent.hooks?.canReadTranscripts !== true) return;
  importTail({
    ...project.recorderOptions(),
    home,
    transcripts: await agent.loadTranscripts(),
    path,
    budgetMs: Math.min(MAX_TRANSCRIPT_MS, timeLeft() - MIN_STEP_MS),
    isOver: event.type === 'end',
    onAttempt: (attempt) => guard.settle(attempt),
  });
}

/** Updates digests and knowledge, and prepares the briefing of the next session. */
function learn(project: ProjectHandle, guard: Guard, now: () => number): void {
  const { info, directory, config } = project;
  if (DigestStore.open(directory).unreadBytes() > MAX_UNDIGESTED_BYTES) return;
  const memory = new ProjectMemory({
    info,
    directory,
    config,
    now,
    guard,
    updateInfo: (patch) => project.updateInfo(patch),
  });
  const { stack } = memory.synthesise();
  const maxSize = config.get('retrieval.maxContextSize');
  writeCachedBriefing(directory, { maxSize, techStack: stack?.techStack }, memory.briefing());
}
