import type { HomeOptions } from '../project/index.ts';

/** What an MCP server of yore works with. The home is opened for each call, so that nothing in it is ever stale. */
export interface McpOptions extends HomeOptions {
  /** The version the server says it has. */
  readonly version: string;
  /** The folder whose project is meant when a call names none. Default: what the client says, else `currentFolder`. */
  readonly folder?: string;
  /** The folder that counts when nobody names one. */
  readonly currentFolder: string;
  /** IANA name of the time zone whose days are meant. Default UTC. */
  readonly timeZone?: string;
}
