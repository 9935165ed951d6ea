import type { McpOptions } from '../../mcp/index.ts';
import type { McpCall, McpReply } from './jobs.ts';

type Answers = (request: Request) => Promise<Response>;

/** Answers whole requests of MCP clients. The packages are loaded with the first one. */
export class McpCalls {
  readonly #options: Pick<McpOptions, 'home' | 'env' | 'now'>;
  #answers: Promise<Answers> | undefined;

  constructor(options: Pick<McpOptions, 'home' | 'env' | 'now'>) {
    this.#options = options;
  }

  /** For requests that are answered once and for all: what is streamed comes at once, at the end. */
  async answer({ method, headers, body, version, currentFolder }: McpCall): Promise<McpReply> {
    this.#answers ??= this.#load({ ...this.#options, version, currentFolder });
    const answers = await this.#answers;
    const response = await answers(
      new Request('http://localhost/mcp', {
        method,
        headers: headers.map(([name, value]) => [name, value]),
        body,
      }),
    );
    return { status: response.status, headers: [...response.headers], body: await response.text() };
  }

  async #load(options: McpOptions): Promise<Answers> {
    const { createMcpHttpHandler } = await import('../../mcp/index.ts');
    const { fetch } = createMcpHttpHandler(options);
    return fetch;
  }
}
