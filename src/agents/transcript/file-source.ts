import { statSync } from 'node:fs';
import type { AgentName } from '../agent-name.ts';
import type { TranscriptSource } from './transcript-source.ts';

/** The source that is one file. Undefined when there is no such file or it cannot be looked at. */
export function fileSource(agent: AgentName, path: string): TranscriptSource | undefined {
  try {
    const found = statSync(path);
    if (!found.isFile()) return undefined;
    return { agent, path, size: found.size, stamp: `${found.size}-${found.mtimeMs}` };
  } catch {
    return undefined;
  }
}
