import type { AgentUnit } from './agent-unit.ts';
import { aiderUnit } from './agents/aider.ts';
import { claudeCodeUnit } from './agents/claude-code.ts';
import { codexUnit } from './agents/codex.ts';
import { copilotUnit } from './agents/copilot.ts';
import { cursorUnit } from './agents/cursor.ts';
import { clineUnit, rooUnit } from './agents/editor-extensions.ts';
import { geminiUnit } from './agents/gemini.ts';
import { opencodeUnit } from './agents/opencode.ts';
import { piUnit } from './agents/pi.ts';

/** The agents that `yore init` looks for, in the order it names them. */
export const AGENT_UNITS: readonly AgentUnit[] = [
  claudeCodeUnit,
  codexUnit,
  geminiUnit,
  opencodeUnit,
  copilotUnit,
  cursorUnit,
  piUnit,
  clineUnit,
  rooUnit,
  aiderUnit,
];
