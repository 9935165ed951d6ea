export type { Attempt, Outcome } from './attempt.ts';
export { type ErrorCode, YoreError } from './error.ts';
export { newMessageId, newSessionId, randomHex } from './id.ts';
export type { HistoryRecord, Message, Role, Tombstone, Usage } from './message.ts';
export { type Parsed, parseAttempt, parseHistoryRecord } from './parse.ts';
export { type Problem, summariseProblems, type Warning } from './problem.ts';
export type { ProjectInfo } from './project-info.ts';
export type { SessionSummary } from './session.ts';
export { RECORD_VERSION } from './version.ts';
