import { fstatSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { HookEvent } from '../agents/hook-protocol.ts';
import { readBytesAt, withOpenFile } from '../files/file-access.ts';
import { readBackwards } from '../log/read.ts';
import { openSegmentPath } from '../log/segments.ts';
import { PromptHistory } from '../prompts/prompt-history.ts';
import { parseObject } from '../record/object.ts';
import { tryDrainSpool } from '../recording/drain-spool.ts';
import { ProjectHandle } from '../recording/project-handle.ts';
import { importTail } from '../recording/transcript/import-tail.ts';
import { WarningLog } from '../recording/warning-log.ts';
import { findTranscript, type HookContext, reportSettings } from './hook-context.ts';
import { SessionMarks } from './session-marks.ts';

type IdleEvent = Extract<HookEvent, { type: 'stop' | 'subagentStop' | 'beforeCompaction' | 'afterCompaction' | 'end' }>;

/** Time for reading the transcript. */
const MAX_TRANSCRIPT_MS = 300;
/** How long a transcript that is written late is waited for, how often it is looked at, and how much of it. */
const MAX_LATE_MS = 250;
const LATE_POLL_MS = 15;
const TRANSCRIPT_END_BYTES = 8 * 1024;
/** How long another process that drains the spool is waited for. */
const MAX_DRAIN_WAIT_MS = 1_000;
/** A step is started only if this much time is left, enough for the slowest of them. */
const MIN_STEP_MS = 150;

/**
 * Catches up when the agent has replied, compacts or ends, because then no call waits: drains the spool, imports what
 * the transcript has gained, brings the store up to date. What there is no time for is left to the next time.
 */
export async function onIdle(event: IdleEvent, context: HookContext): Promise<void> {
  const { session, timeLeft, home, now, onProblem } = context;
  const project = ProjectHandle.enter(session.cwd, context);
  if (project === undefined) return;
  reportSettings(project, context);
  const options = project.recorderOptions();
  const isDrained = tryDrainSpool(options, { ...context, waitMs: Math.min(MAX_DRAIN_WAIT_MS, timeLeft() / 2) });
  const warnings = new WarningLog(project.directory);
  const step = async (work: () => unknown): Promise<void> => {
    if (timeLeft() < MIN_STEP_MS) return;
    try {
      await work();
    } catch (error) {
      onProblem(error);
    }
  };
  // Calls that are still in the spool would be imported from the transcript, and then be recorded twice.
  if (isDrained) await step(() => importTranscript(event, project, warnings, context));
  await step(() => project.catchUp(() => timeLeft() - MIN_STEP_MS));
  if (event.type === 'subagentStop' || event.type === 'afterCompaction') return;
  await step(() => new PromptHistory(join(home, 'prompts.json'), now).save());
  await step(() => project.maintain());
  await step(() => warnings.tidy(now()));
  await step(() => project.touch());
  if (event.type === 'end') await step(() => new SessionMarks(project.directory, '').tidy(now()));
}

async function importTranscript(
  event: IdleEvent,
  project: ProjectHandle,
  warnings: WarningLog,
  context: HookContext,
): Promise<void> {
  const ofSubagent = event.type === 'subagentStop' ? event.transcriptPath : undefined;
  const path = ofSubagent ?? findTranscript(context);
  if (path === undefined) return;
  await waitForTranscript(path, event, context);
  await readTail(path, event.type === 'end', project, warnings, context);
}

/** Waits until an agent that writes its transcripts late has written what happened before the event. */
async function waitForTranscript(path: string, event: IdleEvent, { agent, timeLeft }: HookContext): Promise<void> {
  const { hasReached } = agent.hooks ?? {};
  if (hasReached === undefined) return;
  const deadline = performance.now() + Math.min(MAX_LATE_MS, timeLeft() - MAX_TRANSCRIPT_MS - MIN_STEP_MS);
  while (!hasReached(readEnd(path), event.type) && performance.now() < deadline) await setTimeout(LATE_POLL_MS);
}

function readEnd(path: string): string {
  const read = (file: number): string => {
    const { size } = fstatSync(file);
    const length = Math.min(size, TRANSCRIPT_END_BYTES);
    return readBytesAt(file, size - length, length).toString('utf8');
  };
  return withOpenFile(path, read, '');
}

async function readTail(
  path: string,
  isOver: boolean,
  project: ProjectHandle,
  warnings: WarningLog,
  { agent, session, home, timeLeft }: HookContext,
): Promise<void> {
  if (agent.hooks?.canReadTranscripts !== true) return;
  importTail({
    ...project.recorderOptions(),
    home,
    transcripts: await agent.loadTranscripts(),
    path,
    ...(agent.hasSharedTranscript ? { sessionId: session.sessionId } : {}),
    budgetMs: Math.min(MAX_TRANSCRIPT_MS, timeLeft() - MIN_STEP_MS),
    isOver,
    onAttempt: (attempt) => warnings.settle(attempt),
  });
}

/** How far back the agent's last sessions are looked for, in bytes, and how many of them are read. */
const LAST_SESSIONS_LOOKBACK = 256 * 1024;
const MAX_LAST_SESSIONS = 3;

/** Imports what the agent added to the transcripts of its last sessions in the project after their last event. */
export async function readLateTranscripts(context: HookContext): Promise<void> {
  const { agent, session, timeLeft, onProblem } = context;
  try {
    const project = ProjectHandle.find(session.cwd, context);
    if (project === undefined || !project.isRecording()) return;
    const sessions = listLastSessions(project.directory, agent.name);
    if (sessions.length === 0) return;
    const options = project.recorderOptions();
    if (!tryDrainSpool(options, { ...context, waitMs: 0 })) return;
    const warnings = new WarningLog(project.directory);
    for (const sessionId of sessions) {
      const path = agent.hooks?.findTranscript?.({ sessionId, cwd: session.cwd }, context);
      if (path === undefined || timeLeft() < MAX_TRANSCRIPT_MS) continue;
      await readTail(path, false, project, warnings, context);
    }
  } catch (error) {
    onProblem(error);
  }
}

/** The last sessions of an agent in the history, newest first. */
function listLastSessions(directory: string, agent: string): readonly string[] {
  const sessions = new Set<string>();
  const needle = JSON.stringify({ agent }).slice(1, -1);
  for (const line of readBackwards(openSegmentPath(directory, 'history'), LAST_SESSIONS_LOOKBACK, needle)) {
    const { sessionId, parentSessionId } = parseObject(line) ?? {};
    if (typeof sessionId === 'string' && parentSessionId === undefined) sessions.add(sessionId);
    if (sessions.size === MAX_LAST_SESSIONS) break;
  }
  return [...sessions];
}
