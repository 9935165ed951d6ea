export type { OpenChat } from './chat/chats.ts';
export { type FoundServer, findServer } from './instance-file.ts';
export type { AgentStatus, Methods, Notifications } from './rpc/api.ts';
export type { RunningServer, ServerLimits, ServerOptions } from './server-options.ts';
export { isLoopback, startServer } from './start-server.ts';
