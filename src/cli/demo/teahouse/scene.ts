import type { DemoSession } from '../script.ts';

type Who = Pick<DemoSession, 'agent' | 'model' | 'branch'>;

/** Claude Code at work on a branch. */
export function claude(branch: string, model = 'claude-sonnet-4-5'): Who {
  return { agent: 'claude-code', model, branch };
}

/** Codex at work on a branch. */
export function codex(branch: string): Who {
  return { agent: 'codex', model: 'gpt-5-codex', branch };
}

/** Gemini CLI at work on a branch. */
export function gemini(branch: string): Who {
  return { agent: 'gemini', model: 'gemini-2.5-pro', branch };
}

/** Copilot CLI at work on a branch. */
export function copilot(branch: string): Who {
  return { agent: 'copilot', model: 'gpt-5', branch };
}

/** What vitest prints when all is well. */
export function passed(tests: number): string {
  const files = Math.ceil(tests / 6);
  return ` Test Files  ${files} passed (${files})\n      Tests  ${tests} passed (${tests})\n   Duration  ${(0.4 + tests / 50).toFixed(2)}s`;
}
