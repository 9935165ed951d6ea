export { Intake, type IntakeOptions } from './intake.ts';
export { type IntakeCounts, IntakeTally } from './intake-counts.ts';
export { knownFromTails } from './known-from-tails.ts';
export { type KnownRecords, RememberedSessions } from './known-records.ts';
export { KnownSession } from './known-session.ts';
export { PositionStore, type StoredPosition } from './position-store.ts';
export type { SessionState } from './session-state.ts';
export { type TailOptions, takeTail } from './take-tail.ts';
