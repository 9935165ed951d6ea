import { acDc } from './ac-dc/agent.ts';
import type { AgentDescriptor } from './agent-descriptor.ts';
import { AGENT_NAMES, type AgentName } from './agent-name.ts';
import { aider } from './aider/agent.ts';
import { autohand } from './autohand/agent.ts';
import { claudeCode } from './claude-code/agent.ts';
import { cline, roo } from './cline/agent.ts';
import { codex } from './codex/agent.ts';
import { copilot } from './copilot/agent.ts';
import { cursor } from './cursor/agent.ts';
import { gemini } from './gemini/agent.ts';
import { m31a } from './m31a/agent.ts';
import { opencode } from './opencode/agent.ts';
import { pi } from './pi/agent.ts';
import { qwen } from './qwen/agent.ts';
import type { AgentTranscripts } from './transcript/transcript.ts';

/** Every agent that yore knows, by name. */
export const AGENTS: Readonly<Record<AgentName, AgentDescriptor>> = {
  'claude-code': claudeCode,
  codex,
  gemini,
  qwen,
  opencode,
  copilot,
  cursor,
  pi,
  aider,
  cline,
  roo,
  'ac-dc': acDc,
  autohand,
  m31a,
};

/** The agents that report events to yore while they work. */
export const HOOKED_AGENTS: readonly AgentName[] = AGENT_NAMES.filter((name) => AGENTS[name].hooks !== undefined);

/** The agent of that name; undefined when there is none. */
export function findAgent(name: string): AgentDescriptor | undefined {
  return Object.hasOwn(AGENTS, name) ? AGENTS[name as AgentName] : undefined;
}

/** The command that resumes a session in its agent; undefined when the agent has none. */
export function resumeCommand({
  agent,
  sessionId,
}: {
  readonly agent?: string;
  readonly sessionId: string;
}): string | undefined {
  const command = agent === undefined ? undefined : findAgent(agent)?.resumeCommand;
  // The id is pasted into a shell.
  return command === undefined || !/^[\w][\w.-]*$/.test(sessionId) ? undefined : `${command} ${sessionId}`;
}

/** Loads the transcript readers of the named agents, in the order of the registry. Default: all agents. */
export async function loadTranscripts(names: readonly AgentName[] = AGENT_NAMES): Promise<readonly AgentTranscripts[]> {
  const wanted = AGENT_NAMES.filter((name) => names.includes(name));
  return await Promise.all(wanted.map((name) => AGENTS[name].loadTranscripts()));
}
