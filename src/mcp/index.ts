export { createMcpHttpHandler, createMcpServer } from './mcp-server.ts';
export type { McpOptions } from './options.ts';
export { type McpStreams, serveMcpStdio } from './serve-stdio.ts';
