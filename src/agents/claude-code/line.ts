import { asName, asPath, asTime, type Fields } from '../transcript/fields.ts';
import { type ReaderState, withNewest } from './reader-state.ts';

/** A line, and what it says of itself. */
export interface Line {
  readonly fields: Fields;
  /** Of a side chain, the session of the sub-agent. */
  readonly sessionId: string;
  readonly parentSessionId: string | undefined;
  readonly isSideChain: boolean;
  readonly id: string | undefined;
  readonly timestamp: string | undefined;
  readonly cwd: string | undefined;
  readonly branch: string | undefined;
}

type Chains = ReaderState['chains'];

const SUB_AGENT = 'agent-';

/**
 * What a line says of itself. Sub-agents are sessions of their own: by the id of the agent; in old files, which have
 * none and keep side chains among the other lines, by the line that a chain began with. `chains` goes on from there.
 */
export function lineOf(
  fields: Fields,
  fileName: string,
  chains: Chains,
): { readonly line: Line; readonly chains: Chains } {
  const named = asName(fields.sessionId) ?? asName(fields.session_id);
  const isSubAgentFile = fileName.startsWith(SUB_AGENT);
  if (fields.isSidechain !== true && !isSubAgentFile) {
    return { line: describe(fields, named ?? fileName), chains };
  }
  const agentId = asName(fields.agentId);
  if (agentId !== undefined) return { line: describe(fields, `${SUB_AGENT}${agentId}`, named), chains };
  if (isSubAgentFile) return { line: describe(fields, fileName, named), chains };
  const id = asName(fields.uuid);
  const parent = asName(fields.parentUuid);
  const chain =
    parent === undefined ? undefined : (chains.find(([last]) => last === parent) ?? chains.at(-1));
  const first = chain?.[1] ?? id ?? fileName;
  const line = describe(fields, `${SUB_AGENT}${first}`, named ?? fileName);
  return { line, chains: withNewest(chains, [id ?? first, first], (known) => known[1] === first) };
}

function describe(fields: Fields, sessionId: string, parentSessionId?: string): Line {
  return {
    fields,
    sessionId,
    parentSessionId,
    isSideChain: fields.isSidechain === true || parentSessionId !== undefined,
    id: asName(fields.uuid),
    timestamp: asTime(fields.timestamp),
    cwd: asPath(fields.cwd),
    branch: asName(fields.gitBranch),
  };
}
