export type { ChatWork, OpenChat } from './chat/chats.ts';
export { type FoundServer, findServer } from './find-server.ts';
export { isLoopback } from './is-loopback.ts';
export type { Methods, Notifications } from './rpc/api.ts';
export type { RunningServer, ServerLimits, ServerOptions } from './server-options.ts';
export { startServer } from './start-server.ts';
