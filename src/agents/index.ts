export { AGENT_NAMES, type AgentName } from './agent-name.ts';
export type {
  HookCall,
  HookEvent,
  HookMessage,
  HookProtocol,
  HookReply,
  HookSession,
} from './hook-protocol.ts';
export type {
  CallEvent,
  MessageEvent,
  ResultEvent,
  SessionEvent,
  SkipEvent,
  TranscriptEvent,
  TranscriptImage,
} from './transcript/transcript-event.ts';
export type {
  AgentTranscripts,
  MachinePlaces,
  ReadPosition,
  TranscriptReading,
  TranscriptSource,
} from './transcript/transcript-source.ts';
