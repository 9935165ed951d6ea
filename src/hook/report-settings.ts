import type { ProjectHandle } from '../recording/project-handle.ts';
import type { HookContext } from './hook-context.ts';

/** Notes what is wrong in the settings. Defaults count in its place. */
export function reportSettings({ config }: ProjectHandle, { onProblem }: HookContext): void {
  for (const warning of config.warnings) onProblem(warning);
}
