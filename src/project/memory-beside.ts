import type { BesideAgent } from './beside-agent.ts';
import { ProjectMemory } from './project-memory.ts';

/** What the attempts and messages of a project taught, for a process beside an agent. Much more code than recording. */
export function memoryBeside(project: BesideAgent, now: () => number): ProjectMemory {
  const { info, directory, config, recorder } = project;
  return new ProjectMemory({
    info,
    directory,
    config,
    now,
    guard: recorder.guard,
    updateInfo: (patch) => project.updateInfo(patch),
  });
}
