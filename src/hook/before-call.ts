import type { HookCall, HookEvent, HookReply } from '../agents/hook-protocol.ts';
import type { ToolCall } from '../memory/call/tool-call.ts';
import { checkCall, type GivenWarning, readGuardOptions } from '../memory/guard/check-call.ts';
import { ProjectHandle } from '../recording/project-handle.ts';
import { readSpool } from '../recording/spooled-call.ts';
import type { HookContext } from './hook-context.ts';
import { SessionMarks } from './session-marks.ts';

/** A fact that the model can act on. */
const RETRY_HINT = 'This warning is given once: if you repeat the call, it is let through.';

/** Warns before a call that is likely to fail again. A project that is not known yet has nothing to warn of. */
export async function onBeforeCall(
  { call }: Extract<HookEvent, { type: 'beforeCall' }>,
  context: HookContext,
): Promise<HookReply> {
  const { sessionId, cwd } = context.session;
  const project = ProjectHandle.find(cwd, context);
  if (project === undefined) return {};
  const timestamp = new Date(context.now()).toISOString();
  const given = await askGuard({ ...call, sessionId, agent: context.agent.name, cwd, timestamp }, project, context);
  return given === undefined ? {} : toReply(given, call, project, context);
}

async function askGuard(
  call: ToolCall,
  project: ProjectHandle,
  { onProblem }: HookContext,
): Promise<GivenWarning | undefined> {
  const options = project.recorderOptions();
  return await checkCall(call, {
    ...readGuardOptions(project.config, options),
    directory: project.directory,
    pending: readSpool(project.directory),
    drainSpool: async () => {
      const { tryDrainSpool } = await import('../recording/drain-spool.ts');
      tryDrainSpool(options, onProblem);
    },
  });
}

/** Gives a warning as far as the agent supports its mode. */
function toReply(
  { warning, mode }: GivenWarning,
  call: HookCall,
  { directory }: ProjectHandle,
  { protocol, session }: HookContext,
): HookReply {
  const text = `yore: ${warning.text}`;
  if (mode === 'note') {
    if (protocol.acceptsContextBeforeCall) return { context: text };
    new SessionMarks(directory, session.sessionId).keepNote(call, text);
    return {};
  }
  return mode === 'ask' && protocol.canAsk
    ? { decision: { mode: 'ask', reason: `${text}\nProceed anyway?` } }
    : { decision: { mode: 'deny', reason: `${text}\n${RETRY_HINT}` } };
}
