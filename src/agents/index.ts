export type { AgentDescriptor, AgentHooks } from './agent-descriptor.ts';
export { AGENT_NAMES, type AgentName } from './agent-name.ts';
export type {
  HookCall,
  HookEvent,
  HookMessage,
  HookProtocol,
  HookReply,
  HookSession,
} from './hook-protocol.ts';
export { AGENTS, findAgent, loadTranscripts } from './registry.ts';
export type {
  AgentTranscripts,
  CallEvent,
  MessageEvent,
  ReadPosition,
  ResultEvent,
  SessionEvent,
  SkipEvent,
  TranscriptEvent,
  TranscriptImage,
  TranscriptLocations,
  TranscriptReading,
  TranscriptSource,
} from './transcript/transcript.ts';
