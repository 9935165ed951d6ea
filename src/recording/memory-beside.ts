import type { Guard } from '../memory/index.ts';
import { ProjectMemory } from '../memory/project-memory.ts';
import type { ProjectHandle } from './project-handle.ts';

/** What the attempts and messages of a project taught, for a process beside an agent. Much more code than recording. */
export function memoryBeside(project: ProjectHandle, guard: Guard, now: () => number): ProjectMemory {
  const { info, directory, config } = project;
  return new ProjectMemory({
    info,
    directory,
    config,
    now,
    guard,
    updateInfo: (patch) => project.updateInfo(patch),
  });
}
