import type { AgentName } from '../agents/agent-name.ts';
import type { HookWire } from '../agents/wire/hook-event.ts';

/** The agents that call yore while they work. */
export const HOOKED_AGENTS = [
  'claude-code',
  'codex',
  'gemini',
  'opencode',
  'copilot',
  'cursor',
  'pi',
] as const satisfies readonly AgentName[];

/** How an agent's hooks speak; undefined for an agent that has none, or that nobody knows. */
export async function wireOf(agent: string): Promise<HookWire | undefined> {
  switch (agent) {
    case 'claude-code':
      return (await import('../agents/claude-code/wire.ts')).claudeCodeWire;
    case 'codex':
      return (await import('../agents/codex/wire.ts')).codexWire;
    case 'gemini':
      return (await import('../agents/gemini/wire.ts')).geminiWire;
    case 'opencode':
      return (await import('../agents/opencode/wire.ts')).opencodeWire;
    case 'copilot':
      return (await import('../agents/copilot/wire.ts')).copilotWire;
    case 'cursor':
      return (await import('../agents/cursor/wire.ts')).cursorWire;
    case 'pi':
      return (await import('../agents/pi/wire.ts')).piWire;
    default:
      return undefined;
  }
}
