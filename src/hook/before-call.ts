import type { HookCall, HookEvent, HookReply } from '../agents/hook-protocol.ts';
import type { CheckedCall } from '../ask/guard/guard.ts';
import type { ToolCall } from '../facts/call/tool-call.ts';
import { ProjectHandle } from '../recording/project-handle.ts';
import { WarningLog } from '../recording/warning-log.ts';
import type { HookContext } from './hook-context.ts';
import { SessionMarks } from './session-marks.ts';

/** A fact that the model can act on. */
const RETRY_HINT = 'This warning is given once: if you repeat the call, it is let through.';
/** Where nobody can answer, agents deny the call and give the question to the model. */
const QUESTION =
  'Proceed anyway? This warning is given once: where nobody can answer, the call is let through when it is repeated.';

/** Warns before a call that is likely to fail again. */
export async function onBeforeCall(
  { call }: Extract<HookEvent, { type: 'beforeCall' }>,
  context: HookContext,
): Promise<HookReply> {
  const { sessionId, cwd } = context.session;
  const timestamp = new Date(context.now()).toISOString();
  const toolCall = { ...call, sessionId, agent: context.agent.name, cwd, timestamp };
  const project = ProjectHandle.find(cwd, context) ?? (await enterToWarn(toolCall, cwd, context));
  if (project === undefined) return {};
  const checked = (await project.guard({ isCurrent: true })).checkCall(toolCall);
  if (checked === undefined || !new WarningLog(project.directory).give(checked)) return {};
  return await toReply(checked, call, project, context);
}

/**
 * The project of a folder in which nothing is recorded yet, registered only if a failure of another project applies to the
 * call: the warning has to be recorded.
 */
async function enterToWarn(call: ToolCall, folder: string, context: HookContext): Promise<ProjectHandle | undefined> {
  const guard = await ProjectHandle.unrecordedGuard(folder, context);
  return guard?.check(call) === undefined ? undefined : ProjectHandle.enter(folder, context);
}

/** Gives a warning as far as the agent supports its mode. */
async function toReply(
  { warning, mode }: CheckedCall,
  call: HookCall,
  { directory }: ProjectHandle,
  { protocol, session }: HookContext,
): Promise<HookReply> {
  const { QUOTE_NOTICE } = await import('../text/recorded-text.ts');
  // Short enough to need no frame: every recorded part is quoted on its own line.
  const text = `yore: ${warning.text}\n${QUOTE_NOTICE}`;
  if (mode === 'note') {
    if (protocol.acceptsContextBeforeCall) return { context: text };
    new SessionMarks(directory, session.sessionId).keepNote(call, text);
    return {};
  }
  return mode === 'ask' && protocol.canAsk
    ? { decision: { mode: 'ask', reason: `${text}\n${QUESTION}` } }
    : { decision: { mode: 'deny', reason: `${text}\n${RETRY_HINT}` } };
}
