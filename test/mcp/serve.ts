import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { createMcpHttpHandler, type McpOptions } from '../../src/mcp/index.ts';
import type { Place } from '../cli/built/run-yore.ts';

/** All tools, in the order in which clients are given them. */
export const TOOLS: readonly string[] = [
  'search',
  'recap',
  'check',
  'decisions',
  'failures',
  'blame',
  'session',
  'remember',
];

/** The result of a tool call. */
export interface Called {
  readonly isError: boolean;
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>> | undefined;
}

/** Connects a client to a server in this process. */
export async function connect(
  place: Place,
  options: Partial<McpOptions> = {},
): Promise<{ readonly client: Client; readonly call: (tool: string, input?: object) => Promise<Called> }> {
  const handler = createMcpHttpHandler({
    version: '1.2.3',
    home: place.home,
    env: { PATH: process.env.PATH },
    currentFolder: place.cwd,
    ...options,
  });
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const fetch = (url: string | URL, init?: RequestInit) => handler.fetch(new Request(url, init));
  await client.connect(new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), { fetch }));
  onTestFinished(async () => {
    await client.close();
    await handler.close();
  });
  return {
    client,
    call: async (name, input = {}) => toCalled(await client.callTool({ name, arguments: { ...input } })),
  };
}

/** The parts of a tool's result that tests check, for both generations of clients. */
export function toCalled(result: unknown): Called {
  const { content, isError, structuredContent } = result as {
    readonly content: readonly { readonly type: string; readonly text?: string }[];
    readonly isError?: boolean;
    readonly structuredContent?: Readonly<Record<string, unknown>>;
  };
  return {
    isError: isError === true,
    text: content.map(({ text }) => text ?? '').join('\n'),
    data: structuredContent,
  };
}
