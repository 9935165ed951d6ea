export type { McpOptions } from './call-context.ts';
export { createMcpHttpHandler, createMcpServer, type McpStreams, serveMcpStdio } from './mcp-server.ts';
