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
  /** Other programs have that name too: only its files tell that it is here. */
  readonly hasCommonName?: true;
  /** Files or folders that tell that it was used here. */
  traces(machine: Machine): readonly string[];
  /** The files to change; none where nothing can be wired. */
  targets(machine: Machine, scope: Scope): readonly Target[];
  /** What the person has to do before it works; a sentence. */
  readonly next?: string;
  /** Why nothing can be wired, where that is so; a sentence. */
  readonly limit?: string;
  /** What keeps its hooks from running, as its settings file tells; a sentence. */
  readonly obstacle?: (read: (path: string) => string | undefined, machine: Machine) => string | undefined;
  /** Set when something else wires it already, as its settings file tells; a sentence. */
  readonly coveredBy?: (read: (path: string) => string | undefined, machine: Machine) => string | undefined;
}
