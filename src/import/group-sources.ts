import { dirname } from 'node:path';
import { AGENTS } from '../agents/registry.ts';
import type { FoundSource } from './find-sources.ts';
import type { BegunSource } from './order-sources.ts';

/**
 * Sources in groups that may be read at the same time. Those of one group are read in order: it holds all of a project,
 * sub-agents and forks with the session they belong to; or all of an agent whose sources are of several projects. The
 * largest group comes first. `projectOf`: what stands for the project of a folder.
 */
export function groupSources(
  sources: readonly BegunSource[],
  projectOf: (folder: string) => string,
): readonly (readonly BegunSource[])[] {
  const bySession = new Map<string, string>();
  for (const { folder, sessionId } of sources) {
    if (folder !== undefined && sessionId !== undefined) bySession.set(sessionId, projectOf(folder));
  }
  const groups = new Map<string, BegunSource[]>();
  for (const begun of sources) {
    const { folder, sessionId = '', parentSessionId = '', source } = begun;
    const project = folder === undefined ? undefined : projectOf(folder);
    const family = bySession.get(sessionId) ?? bySession.get(parentSessionId);
    const key = AGENTS[source.agent].hasSharedTranscript
      ? source.agent
      : (project ?? family ?? dirname(source.path));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [begun]);
    else group.push(begun);
  }
  return [...groups.values()].sort((a, b) => bytesOf(b) - bytesOf(a));
}

/** The size of sources together. */
export function bytesOf(sources: readonly FoundSource[]): number {
  return sources.reduce((sum, { source }) => sum + source.size, 0);
}
