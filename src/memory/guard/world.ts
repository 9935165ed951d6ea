/** What can be seen of the machine when a call is checked. Undefined: it cannot be known. */
export interface MachineState {
  /** Whether a path exists, relative to the checkout or absolute. */
  exists(path: string): boolean | undefined;
  /** Whether a program can be started by its name. */
  hasProgram(name: string): boolean | undefined;
  /** When a file was last changed, in milliseconds since 1970. */
  changedAt(path: string): number | undefined;
  /** When the checkout last changed: another commit, another branch, something staged. */
  checkedOutAt(): number | undefined;
}

/** Nothing can be seen: what is known comes from the records alone. */
export const UNKNOWN_MACHINE: MachineState = {
  exists: () => undefined,
  hasProgram: () => undefined,
  changedAt: () => undefined,
  checkedOutAt: () => undefined,
};
