import { claudeCodeWire } from '../agents/claude-code/wire.ts';
import { codexWire } from '../agents/codex/wire.ts';
import { copilotWire } from '../agents/copilot/wire.ts';
import { cursorWire } from '../agents/cursor/wire.ts';
import { geminiWire } from '../agents/gemini/wire.ts';
import { opencodeWire } from '../agents/opencode/wire.ts';
import { piWire } from '../agents/pi/wire.ts';
import type { HookProtocol } from '../agents/wire/hook-event.ts';
import { HOOKED_AGENTS, type HookedAgent } from './hooked-agents.ts';

const WIRES: Readonly<Record<HookedAgent, HookProtocol>> = {
  'claude-code': claudeCodeWire,
  codex: codexWire,
  gemini: geminiWire,
  opencode: opencodeWire,
  copilot: copilotWire,
  cursor: cursorWire,
  pi: piWire,
};

/** How an agent's hooks speak; undefined for an agent that has none, or that nobody knows. */
export function wireOf(
  name: string,
): { readonly agent: HookedAgent; readonly wire: HookProtocol } | undefined {
  const agent = HOOKED_AGENTS.find((known) => known === name);
  return agent && { agent, wire: WIRES[agent] };
}
