import { dirname } from 'node:path';
import { AGENTS } from '../agents/registry.ts';
import { fileSource } from '../agents/transcript/files.ts';
import {
  type AgentTranscripts,
  findEventTime,
  type TranscriptLocations,
  type TranscriptSource,
} from '../agents/transcript/transcript.ts';
import { statIfExists } from '../files/index.ts';
import { omitUndefined, YoreError } from '../record/index.ts';
import { getOrAdd } from '../record/once.ts';
import { compareText } from '../text/compare-text.ts';

/** A transcript and its reader. */
export interface FoundSource {
  readonly transcripts: AgentTranscripts;
  readonly source: TranscriptSource;
  /** It is not in a folder that its agent keeps for the user. */
  readonly mayBeForeign?: true;
}

/** Finds the transcripts of agents on the machine. */
export function findSources(agents: readonly AgentTranscripts[], places: TranscriptLocations): readonly FoundSource[] {
  return agents.flatMap((transcripts) => {
    const origin = AGENTS[transcripts.agent].keepsTranscriptsInProjects ? ({ mayBeForeign: true } as const) : {};
    return transcripts.find(places).map((source) => ({ transcripts, source, ...origin }));
  });
}

/** Transcripts by path. Throws NOT_FOUND for a missing file, USAGE for one that is not a transcript. */
export function findNamedSources(
  agents: readonly AgentTranscripts[],
  paths: readonly string[],
  places: TranscriptLocations,
): readonly FoundSource[] {
  const found = new Map(findSources(agents, places).map((entry) => [entry.source.path, entry]));
  return paths.map((path) => found.get(path) ?? identifySource(agents, path));
}

function identifySource(agents: readonly AgentTranscripts[], path: string): FoundSource {
  const transcripts = agents.find((agent) => recognises(agent, path));
  const source = transcripts && fileSource(transcripts.agent, path);
  if (transcripts !== undefined && source !== undefined) return { transcripts, source, mayBeForeign: true };
  const names = agents.map(({ agent }) => agent).join(', ');
  if (statIfExists(path)?.isFile() !== true) {
    throw new YoreError('NOT_FOUND', `There is no file ${path}. Name a transcript.`);
  }
  throw new YoreError('USAGE', `${path} is not a transcript of an agent that yore can read: ${names}.`);
}

function recognises(agent: AgentTranscripts, path: string): boolean {
  try {
    return agent.recognises(path);
  } catch {
    return false;
  }
}

/** A transcript with the first events read. */
export interface ScannedSource extends FoundSource {
  /** The working directory of its session, if it contains one. */
  readonly folder?: string;
  /** The URL of the git remote there. */
  readonly remote?: string;
  readonly sessionId?: string;
  readonly parentSessionId?: string;
}

const MAX_HEADER_EVENTS = 50;

/**
 * Sorts transcripts by start time, forks after the sessions they were forked from, since they start with copies of
 * their messages. Reads the first events of each. `withoutFolder` are those without a working directory, which other
 * transcripts may help to find.
 */
export function sortSources(found: readonly FoundSource[]): {
  readonly sources: readonly ScannedSource[];
  readonly withoutFolder: readonly FoundSource[];
} {
  const ordered = found
    .map((entry) => ({ entry, ...readHeader(entry) }))
    .sort(
      (a, b) =>
        a.time - b.time || Number(a.isFork) - Number(b.isFork) || compareText(a.entry.source.path, b.entry.source.path),
    )
    .map(({ entry, time: _, isFork: __, ...scanned }): ScannedSource => ({ ...entry, ...scanned }));
  // A sub-agent belongs to the project of its parent.
  const hasFolder = (scanned: ScannedSource): boolean =>
    scanned.folder !== undefined || scanned.parentSessionId !== undefined;
  return {
    sources: ordered.filter(hasFolder),
    withoutFolder: ordered.filter((scanned) => !hasFolder(scanned)),
  };
}

/** When a transcript begins, in epoch milliseconds; 0 if it does not say. */
export function readStartTime(found: FoundSource): number {
  return readHeader(found).time;
}

/** `time` is in epoch milliseconds; 0 if no event has a time. */
function readHeader({ transcripts, source }: FoundSource) {
  let time: number | undefined;
  let isFork = false;
  let folder = source.cwd;
  let remote: string | undefined;
  let sessionId: string | undefined;
  let parentSessionId: string | undefined;
  try {
    let events = 0;
    for (const event of transcripts.read(source).events) {
      if (event.type === 'session') {
        isFork ||= event.isFork === true;
        folder ??= event.cwd;
        remote ??= event.remote;
        sessionId ??= event.sessionId;
        parentSessionId ??= event.parentSessionId;
      }
      time = findEventTime(event);
      if (time !== undefined || ++events > MAX_HEADER_EVENTS) break;
    }
  } catch {
    // Reading it later gives the same error, which is reported then.
  }
  return { time: time ?? 0, isFork, ...omitUndefined({ folder, remote, sessionId, parentSessionId }) };
}

/**
 * Groups transcripts that can be read in parallel. The transcripts of a group must be read in order: all of a project,
 * with sub-agents and forks, or all of an agent that stores several projects in one transcript. The largest group comes
 * first. `getProject` returns a key for the project of a folder.
 */
export function groupSources(
  sources: readonly ScannedSource[],
  getProject: (folder: string) => string,
): readonly (readonly ScannedSource[])[] {
  const bySession = new Map<string, string>();
  for (const { folder, sessionId } of sources) {
    if (folder !== undefined && sessionId !== undefined) bySession.set(sessionId, getProject(folder));
  }
  const groups = new Map<string, ScannedSource[]>();
  for (const scanned of sources) {
    const { folder, sessionId = '', parentSessionId = '', source } = scanned;
    const project = folder === undefined ? undefined : getProject(folder);
    const family = bySession.get(sessionId) ?? bySession.get(parentSessionId);
    const key = AGENTS[source.agent].hasSharedTranscript ? source.agent : (project ?? family ?? dirname(source.path));
    getOrAdd(groups, key, () => []).push(scanned);
  }
  return [...groups.values()].sort((a, b) => totalBytes(b) - totalBytes(a));
}

/** The total size of transcripts. */
export function totalBytes(sources: readonly FoundSource[]): number {
  return sources.reduce((sum, { source }) => sum + source.size, 0);
}
