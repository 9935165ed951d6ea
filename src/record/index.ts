export {
  type Diagnostic,
  type ErrorCode,
  messageOf,
  type Problem,
  reasonOf,
  summariseProblems,
  YoreError,
} from './error.ts';
export { newMessageId, newSessionId, randomHex, shortHash, textHash } from './id.ts';
export { isObject, type JsonObject, type OmitUndefined, omitUndefined, parseObject } from './object.ts';
export { type Parsed, parseAttempt, parseHistoryRecord } from './parse.ts';
export type { ProjectCommands, ProjectInfo, TechStack } from './project-info.ts';
export {
  type Attempt,
  CHAT_AGENT,
  countCalls,
  type FileEdit,
  type HistoryRecord,
  isApplied,
  isToolCall,
  labelOrigin,
  type Message,
  NOTES_SESSION,
  OUTCOMES,
  type Outcome,
  OWN_AUTHOR,
  RECORD_VERSION,
  type Role,
  type SessionSummary,
  type Tombstone,
  teamSessionId,
  type Usage,
} from './record.ts';
