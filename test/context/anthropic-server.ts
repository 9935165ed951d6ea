import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A block of a request as received. */
export interface WireBlock {
  readonly type: string;
  readonly text?: string;
  readonly cache_control?: { readonly type: string; readonly ttl?: string };
}

/** A request to the Messages API as received. */
export interface WireRequest {
  readonly model: string;
  readonly system?: readonly WireBlock[];
  readonly messages: readonly { readonly role: string; readonly content: string | readonly WireBlock[] }[];
}

/** The usage of a reply. */
interface WireUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly cache_creation_input_tokens: number;
}

/** A server on 127.0.0.1 that speaks Anthropic's Messages API. */
export interface AnthropicServer {
  readonly url: string;
  readonly requests: WireRequest[];
  /** The usage of each reply. */
  readonly usages: WireUsage[];
  close(): Promise<void>;
}

const MAX_MARKERS = 4;
const SHORTEST_PREFIX = 1_024;
/** How many blocks before a marker the provider looks for a cached prefix. */
const LOOK_BACK = 20;

/**
 * Answers each request with `reply` and caches as the provider documents: a prefix that ends at a marker is written, the
 * longest cached prefix is read, and prefixes of less than 1,024 tokens are not cached. Rejects what the provider rejects:
 * more than four markers, markers on images, blank texts, an assistant as the first message.
 */
export async function startAnthropicServer(reply: (request: WireRequest) => string): Promise<AnthropicServer> {
  const requests: WireRequest[] = [];
  const usages: WireUsage[] = [];
  const cached = new Set<string>();
  const server = createServer(async (incoming, outgoing) => {
    const request: WireRequest = JSON.parse(await textOf(incoming));
    const problem = problemOf(request);
    outgoing.setHeader('content-type', 'application/json');
    if (problem !== undefined) {
      outgoing.statusCode = 400;
      outgoing.end(JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message: problem } }));
      return;
    }
    const text = reply(request);
    const usage = usageOf(request, text, cached);
    requests.push(request);
    usages.push(usage);
    outgoing.end(JSON.stringify(answer(request, text, usage)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, requests, usages, close: () => closed(server) };
}

/** All blocks of a request in the order in which they are cached. */
export function blocksOf({ system = [], messages }: WireRequest): WireBlock[] {
  return [...system, ...messages.flatMap(({ content }) => (typeof content === 'string' ? [text(content)] : content))];
}

/** The last line of each block that carries a marker. */
export function markedEnds(request: WireRequest): string[] {
  return blocksOf(request)
    .filter((block) => block.cache_control !== undefined)
    .map((block) => block.text?.split('\n').at(-1) ?? block.type);
}

function text(content: string): WireBlock {
  return { type: 'text', text: content };
}

function problemOf(request: WireRequest): string | undefined {
  const blocks = blocksOf(request);
  const marked = blocks.filter((block) => block.cache_control !== undefined);
  if (marked.length > MAX_MARKERS)
    return `A maximum of 4 blocks with cache_control may be provided. Found ${marked.length}.`;
  if (marked.some((block) => block.type !== 'text')) return 'cache_control is on a block that is no text';
  if (blocks.some((block) => block.type === 'text' && !block.text?.trim()))
    return 'text content blocks must be non-empty';
  if (request.messages[0]?.role !== 'user') return 'first message must use the user role';
  return undefined;
}

function answer({ model }: WireRequest, reply: string, usage: WireUsage): object {
  const content = [{ type: 'text', text: reply }];
  const end = { stop_reason: 'end_turn', stop_sequence: null };
  return { id: 'msg_1', type: 'message', role: 'assistant', model, content, ...end, usage };
}

/** Reads the longest cached prefix near a marker, and writes the prefixes that end at markers. */
function usageOf(request: WireRequest, reply: string, cached: Set<string>): WireUsage {
  const prefixes = prefixesOf(blocksOf(request));
  const near = prefixes.flatMap(({ isMarked }, index) =>
    isMarked ? prefixes.slice(Math.max(0, index - LOOK_BACK), index + 1) : [],
  );
  const read = Math.max(0, ...near.filter(({ hash }) => cached.has(hash)).map(({ tokens }) => tokens));
  const written = prefixes.filter(({ isMarked, tokens }) => isMarked && tokens >= SHORTEST_PREFIX);
  for (const { hash } of written) cached.add(hash);
  const end = Math.max(read, written.at(-1)?.tokens ?? 0);
  return {
    input_tokens: (prefixes.at(-1)?.tokens ?? 0) - end,
    output_tokens: tokensOf(reply),
    cache_read_input_tokens: read,
    cache_creation_input_tokens: end - read,
  };
}

/** The prompt up to the end of one of its blocks. */
interface Prefix {
  readonly hash: string;
  readonly tokens: number;
  readonly isMarked: boolean;
}

function prefixesOf(blocks: readonly WireBlock[]): Prefix[] {
  const hash = createHash('sha256');
  let tokens = 0;
  return blocks.map(({ cache_control, ...block }) => {
    const bytes = JSON.stringify(block);
    tokens += tokensOf(bytes);
    return { hash: hash.update(bytes).copy().digest('hex'), tokens, isMarked: cache_control !== undefined };
  });
}

function tokensOf(content: string): number {
  return Math.ceil(content.length / 4);
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
