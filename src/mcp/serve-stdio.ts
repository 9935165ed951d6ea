import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { createMcpServer } from './mcp-server.ts';
import type { McpOptions } from './options.ts';

/** The two ends of a connection. Nothing but the protocol is written to `output`. */
export interface McpStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/**
 * Serves one client until it leaves: its end of `input` closes, `output` breaks, or `signal` is aborted. Never
 * rejects; `onError` gets what the client does wrong.
 */
export async function serveMcpStdio(
  options: McpOptions,
  { input, output }: McpStreams,
  { signal, onError }: { readonly signal?: AbortSignal; readonly onError?: (error: Error) => void } = {},
): Promise<void> {
  const transport = new WatchedTransport(input, output);
  const handle = serveStdio(() => createMcpServer(options), {
    transport,
    ...(onError === undefined ? {} : { onerror: onError }),
  });
  const close = (): void => void handle.close();
  if (signal?.aborted) close();
  signal?.addEventListener('abort', close, { once: true });
  await transport.closed;
  signal?.removeEventListener('abort', close);
}

/** Tells when the connection is over, whoever ended it. */
class WatchedTransport extends StdioServerTransport {
  readonly closed: Promise<void>;
  #tell: () => void = () => {};

  constructor(input: Readable, output: Writable) {
    super(input, output);
    this.closed = new Promise((resolve) => {
      this.#tell = resolve;
    });
  }

  override async close(): Promise<void> {
    await super.close();
    this.#tell();
  }
}
