import type { Home } from '../project/index.ts';
import type { OpenChat } from './chat/chats.ts';

/** How {@link startServer} serves a home. */
export interface ServerOptions {
  /** Stays open when the server is closed. */
  readonly home: Home;
  /** The folder whose project is meant when a client names none. */
  readonly cwd: string;
  /** Opens the chat about a project. The server restores its last session and closes it. */
  readonly openChat: OpenChat;
  /** The folder of the built app. Default: the one of the package. */
  readonly webFolder?: string;
  /** The version that the MCP server says it has. */
  readonly version: string;
  /** The address to listen on. Default `127.0.0.1`; another than loopback can only be read. */
  readonly host?: string;
  /** Default: the one of the last time, else 4747; when that is taken, any. One that is given must be free. */
  readonly port?: number;
  /** At least 32 letters, digits, `-` or `_`. Default: the one of the last time, else a new one. */
  readonly token?: string;
  /** Lets clients of another address than loopback change things. Default false. */
  readonly allowRemoteWrites?: boolean;
  readonly now?: () => number;
  /** The user's home folder, for hooks. Default: that of the operating system. */
  readonly userHome?: string;
  /** Told of errors that nobody foresaw; clients only get to know that there was one. */
  readonly onError?: (error: unknown) => void;
  readonly limits?: Partial<ServerLimits>;
}

/** What clients can take from the server. */
export interface ServerLimits {
  /** Largest body of a call. Default: a prompt with five images of 5 MB. */
  readonly bodyBytes: number;
  /** A request must have arrived after this. Default 60 seconds. */
  readonly requestMs: number;
  /** A client that lets more than this wait to be read is cut off. Default 16 MB. */
  readonly waitingBytes: number;
  /** Most connections at once. Default 256. */
  readonly connections: number;
  /** How often a WebSocket must answer. Default 30 seconds. */
  readonly heartbeatMs: number;
  /** How often logs are looked at while somebody is connected. Default 500 milliseconds. */
  readonly watchMs: number;
}

/** A server that runs. */
export interface RunningServer {
  /** To be opened in a browser: it holds the token. */
  readonly url: string;
  readonly port: number;
  /** For `Authorization: Bearer …`. */
  readonly token: string;
  /** Clients can change nothing. */
  readonly readOnly: boolean;
  /** Ends replies that are being made, says good-bye to clients, and lets go of the home. */
  readonly close: () => Promise<void>;
}
