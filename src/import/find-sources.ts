import { fileSource } from '../agents/transcript/files.ts';
import type {
  AgentTranscripts,
  MachinePlaces,
  TranscriptSource,
} from '../agents/transcript/transcript-source.ts';
import { YoreError } from '../record/index.ts';

/** A source and who can read it. */
export interface FoundSource {
  readonly transcripts: AgentTranscripts;
  readonly source: TranscriptSource;
}

/** What the agents left on the machine. */
export function findSources(
  agents: readonly AgentTranscripts[],
  places: MachinePlaces,
): readonly FoundSource[] {
  return agents.flatMap((transcripts) => transcripts.find(places).map((source) => ({ transcripts, source })));
}

/** Transcripts named by hand. Throws NOT_FOUND for a file that is not there, USAGE for one that no agent wrote. */
export function namedSources(
  agents: readonly AgentTranscripts[],
  paths: readonly string[],
  places: MachinePlaces,
): readonly FoundSource[] {
  const found = new Map(findSources(agents, places).map((entry) => [entry.source.path, entry]));
  return paths.map((path) => found.get(path) ?? sourceNamed(agents, path));
}

function sourceNamed(agents: readonly AgentTranscripts[], path: string): FoundSource {
  const transcripts = agents.find((agent) => recognises(agent, path));
  const source = transcripts && fileSource(transcripts.agent, path);
  if (transcripts !== undefined && source !== undefined) return { transcripts, source };
  const names = agents.map(({ agent }) => agent).join(', ');
  if (fileSource('claude-code', path) === undefined) {
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
