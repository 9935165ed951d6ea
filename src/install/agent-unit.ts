import type { AgentName } from '../agents/agent-name.ts';
import type { Machine, Scope } from './machine.ts';
import type { Target } from './target.ts';

/** How yore is wired into one agent. */
export interface AgentUnit {
  readonly agent: AgentName;
  /** As people write it. */
  readonly title: string;
  /** Its names on the PATH. */
  readonly commands: readonly string[];
  /** Files or folders that tell that it was used here. */
  traces(machine: Machine): readonly string[];
  /** The files to change; none where nothing can be wired. */
  targets(machine: Machine, scope: Scope): readonly Target[];
  /** What the person has to do before it works; a sentence. */
  readonly next?: string;
  /** Why nothing can be wired, where that is so; a sentence. */
  readonly limit?: string;
  /** Set when something else wires it already, as its settings file tells; a sentence. */
  readonly coveredBy?: (read: (path: string) => string | undefined, machine: Machine) => string | undefined;
}
