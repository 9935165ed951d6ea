import type { Home } from '../project/index.ts';
import type { OpenChat } from './chat/chats.ts';
import type { ServerAddress } from './instance-file.ts';
import type { AgentStatus } from './rpc/api.ts';

/** Options of {@link startServer}. */
export interface ServerOptions {
  /** It stays open when the server is closed. */
  readonly home: Home;
  /** The folder whose project is meant when a client names none. */
  readonly cwd: string;
  /** Opens the chat about a project. The server restores its last session, and closes it. */
  readonly openChat: OpenChat;
  /** Checks the agents on this machine, as `yore doctor` does. Default: clients learn nothing about them. */
  readonly checkAgents?: () => Promise<readonly AgentStatus[]>;
  /** The home is that of the demo, which the app says. Default false. */
  readonly isDemo?: boolean;
  /** How the user starts yore, for commands that the app suggests. Default `yore`. */
  readonly command?: string;
  /** The folder of the built app. Default: the app that comes with the package. */
  readonly webFolder?: string;
  /** The version that the MCP server reports. */
  readonly version: string;
  /** The address to listen on. Default `127.0.0.1`. On any address but loopback the server is read-only. */
  readonly host?: string;
  /** A port that must be free. Default: the last one, else 4747, else any free port. */
  readonly port?: number;
  /** At least 32 letters, digits, `-` or `_`. Default: the last one, else a new one. */
  readonly token?: string;
  /** Lets clients change things although the server is not on loopback. Default false. */
  readonly allowRemoteWrites?: boolean;
  readonly now?: () => number;
  /** The user's home folder, for hooks. Default: that of the operating system. */
  readonly userHome?: string;
  /** Called with unexpected errors; clients learn only that there was one. */
  readonly onError?: (error: unknown) => void;
  readonly limits?: Partial<ServerLimits>;
}

/** Limits on what clients can use up. */
export interface ServerLimits {
  /** The largest body of a call. Default: a prompt with five images of 5 MB. */
  readonly bodyBytes: number;
  /** How long a request may take to arrive. Default 60 seconds. */
  readonly requestMs: number;
  /** A client with more unread data than this is disconnected. Default 16 MB. */
  readonly waitingBytes: number;
  /** How many connections may be open at once; then the oldest without a valid token is closed. Default 256. */
  readonly connections: number;
  /** How often a WebSocket client must answer a ping. Default 30 seconds. */
  readonly heartbeatMs: number;
  /** How often logs are polled while a client is connected. Default 500 milliseconds. */
  readonly watchMs: number;
  /** How often a home that belongs to a team is synced with its server. Default 60 seconds. */
  readonly syncMs: number;
}

/** A running server. */
export interface RunningServer extends ServerAddress {
  /** Stops replies, disconnects clients and releases the home. */
  readonly close: () => Promise<void>;
}
