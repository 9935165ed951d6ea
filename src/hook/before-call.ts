import type { HookCall, HookEvent, HookReply } from '../agents/hook-protocol.ts';
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
  const { directory, config } = project;
  const given = await checkCall(
    { ...call, sessionId, agent: context.agent.name, cwd, timestamp },
    {
      ...readGuardOptions(config, project.recorderOptions()),
      directory,
      pending: readSpool(directory),
      drainSpool: () => project.drainSpool(context.onProblem),
    },
  );
  return given === undefined ? {} : toReply(given, call, project, context);
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
