import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { type Fields, type OfferedTool, type Script, type Step, sampleOf, translateCall } from './script.ts';
import { type Answer, type Question, WIRE_FORMATS } from './wire-formats.ts';

/** A request of an agent to the model, and what it was answered. */
export interface ModelRequest {
  readonly url: string;
  readonly body: Fields;
  readonly answer: Answer;
  /** Whether it offers tools: a step of a session, and no side question. */
  readonly isStep: boolean;
}

const INPUT_TOKENS = 100;
/** How long the next step waits for a sub-agent, and how often it looks. */
const MAX_WAIT_MS = 15_000;
const WAIT_MS = 50;

/**
 * A model on 127.0.0.1 that replies by a script, in the wire format in which it is asked. Requests without tools are
 * side questions of an agent, e.g. for a title, and do not use up a step.
 */
export class ScriptedModel {
  readonly #server: Server;
  #prompt = '';
  #script: Script = { steps: [] };
  #requests: ModelRequest[] = [];
  #errors: Error[] = [];
  #main: Progress = NOT_BEGUN;
  #subagent: Progress = NOT_BEGUN;
  #calls = 0;

  private constructor() {
    this.#server = createServer((request, response) => this.#collect(request, response));
  }

  static async start(): Promise<ScriptedModel> {
    const model = new ScriptedModel();
    await new Promise<void>((resolve) => model.#server.listen(0, '127.0.0.1', resolve));
    return model;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Begins a script for a session with this prompt; returns the requests that the agent then makes. */
  play(prompt: string, script: Script): readonly ModelRequest[] {
    this.#prompt = prompt;
    this.#script = script;
    this.#main = NOT_BEGUN;
    this.#subagent = NOT_BEGUN;
    this.#errors = [];
    this.#requests = [];
    return this.#requests;
  }

  /** What went wrong in the script since {@link play}. */
  get errors(): readonly Error[] {
    return this.#errors;
  }

  #collect(request: IncomingMessage, response: ServerResponse): void {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('error', () => {});
    request.on('end', () => {
      this.#reply(request, response, Buffer.concat(parts)).catch((error) => {
        this.#errors.push(error instanceof Error ? error : new Error(String(error)));
        sendJson(response, 400, { error: { type: 'invalid_request_error', message: String(error) } });
      });
    });
  }

  async #reply(
    { method, url = '', headers }: IncomingMessage,
    response: ServerResponse,
    content: Buffer,
  ): Promise<void> {
    const text = decode(content, headers['content-encoding']).toString('utf8');
    const body: Fields = text === '' ? {} : JSON.parse(text);
    const format = method === 'POST' ? WIRE_FORMATS.find(({ matches }) => matches(url)) : undefined;
    if (format === undefined) {
      const { status, value } = replyToOther(url);
      sendJson(response, status, value);
      return;
    }
    const question = format.parse(body, url);
    const isStep = question.tools.length > 0;
    const answer = isStep ? await this.#nextStep(question, text) : sideAnswer(question);
    this.#requests.push({ url, body, answer, isStep });
    if (!question.isStream) {
      sendJson(response, 200, format.whole(body, answer));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    for (const { event, data } of format.stream(body, answer)) {
      const name = event === undefined ? '' : `event: ${event}\n`;
      response.write(`${name}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
    }
    response.end();
  }

  async #nextStep({ tools }: Question, conversation: string): Promise<Answer> {
    const { steps, subagent } = this.#script;
    const isSubagent = subagent !== undefined && !conversation.includes(this.#prompt);
    const list = isSubagent ? subagent : steps;
    // Agents that start sub-agents in the background must not end before them.
    const isStarted = !isSubagent && steps[this.#main.index]?.calls?.some(({ kind }) => kind === 'subagent');
    if (isStarted) await this.#waitForSubagent();
    const progress = advance(isSubagent ? this.#subagent : this.#main, conversation);
    if (isSubagent) this.#subagent = progress;
    else this.#main = progress;
    const step = list[progress.index] ?? { say: list.findLast(({ say }) => say !== undefined)?.say ?? 'Done.' };
    return this.#toAnswer(step, tools);
  }

  async #waitForSubagent(): Promise<void> {
    const last = (this.#script.subagent?.length ?? 0) - 1;
    for (let waited = 0; this.#subagent.index < last && waited < MAX_WAIT_MS; waited += WAIT_MS)
      await setTimeout(WAIT_MS);
  }

  #toAnswer({ say, calls = [], inputTokens = INPUT_TOKENS }: Step, tools: readonly OfferedTool[]): Answer {
    return {
      ...(say === undefined ? {} : { text: say }),
      calls: calls.map((call) => ({ id: `call_${++this.#calls}`, ...translateCall(call, tools) })),
      inputTokens,
    };
  }
}

/** How far a conversation has come. */
interface Progress {
  /** The step that was answered last, and the request for it. */
  readonly index: number;
  readonly request: string;
}

const NOT_BEGUN: Progress = { index: -1, request: '' };

/** The next step, or the same one if the agent repeats its request. */
function advance({ index, request: last }: Progress, request: string): Progress {
  return { index: request === last ? index : index + 1, request };
}

function sideAnswer({ schema }: Question): Answer {
  const text = schema ? JSON.stringify(sampleOf(schema)) : 'A short title';
  return { text, calls: [], inputTokens: INPUT_TOKENS };
}

/** What agents ask a server besides replies. */
function replyToOther(url: string): { readonly status: number; readonly value: Fields } {
  if (/count_?tokens/i.test(url)) return { status: 200, value: { input_tokens: 100, totalTokens: 100 } };
  if (/\/models(\?|$)/.test(url)) {
    return { status: 200, value: { object: 'list', data: [{ id: 'scripted', object: 'model' }], models: [] } };
  }
  return { status: 404, value: { error: { type: 'not_found_error', message: `nothing at ${url}` } } };
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

function decode(content: Buffer, encoding: string | undefined): Buffer {
  switch (encoding) {
    case 'gzip':
      return gunzipSync(content);
    case 'deflate':
      return inflateSync(content);
    case 'br':
      return brotliDecompressSync(content);
    default:
      return content;
  }
}
