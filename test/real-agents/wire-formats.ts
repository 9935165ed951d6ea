import type { Fields, JsonSchema, ModelCall, OfferedTool } from './script.ts';

/** What an agent asks of the model, whatever the format. */
export interface Question {
  readonly isStream: boolean;
  readonly tools: readonly OfferedTool[];
  /** The schema that a reply without calls has to fit. */
  readonly schema?: JsonSchema | undefined;
}

/** A reply of the model, whatever the format. */
export interface Answer {
  readonly text?: string;
  readonly calls: readonly ModelCall[];
  /** Tokens that the request is said to have had. */
  readonly inputTokens: number;
}

/** One event of a stream. */
interface StreamEvent {
  readonly event?: string;
  readonly data: unknown;
}

/** How a provider's API asks a model and gets its reply. */
export interface WireFormat {
  matches(url: string): boolean;
  parse(body: Fields, url: string): Question;
  whole(body: Fields, answer: Answer): Fields;
  stream(body: Fields, answer: Answer): Iterable<StreamEvent>;
}

const OUTPUT_TOKENS = 20;

function objects(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : [];
}

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function makeId(prefix: string): string {
  return `${prefix}_${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;
}

/** Anthropic Messages: Claude Code. */
const anthropic: WireFormat = {
  matches: (url) => /\/messages(\?|$)/.test(url),
  parse: (body) => ({
    isStream: body.stream === true,
    tools: objects(body.tools).map(({ name, input_schema }) => ({
      name: String(name),
      schema: input_schema as JsonSchema,
    })),
    schema: fields(fields(body.output_config).format ?? body.output_format).schema as JsonSchema | undefined,
  }),
  whole: (body, { text, calls, inputTokens }) => ({
    id: makeId('msg'),
    type: 'message',
    role: 'assistant',
    model: body.model ?? 'scripted',
    content: [
      ...(text === undefined ? [] : [{ type: 'text', text }]),
      ...calls.map(({ id, name, input }) => ({ type: 'tool_use', id: `toolu_${id}`, name, input })),
    ],
    stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: inputTokens,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: OUTPUT_TOKENS,
    },
  }),
  *stream(body, answer) {
    const named = (data: Fields): StreamEvent => ({ event: String(data.type), data });
    const message = anthropic.whole(body, answer);
    yield named({ type: 'message_start', message: { ...message, content: [], stop_reason: null } });
    for (const [index, block] of objects(message.content).entries()) {
      const isText = block.type === 'text';
      const empty = isText ? { type: 'text', text: '' } : { ...block, input: {} };
      const delta = isText
        ? { type: 'text_delta', text: block.text }
        : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
      yield named({ type: 'content_block_start', index, content_block: empty });
      yield named({ type: 'content_block_delta', index, delta });
      yield named({ type: 'content_block_stop', index });
    }
    const { stop_reason } = message;
    const usage = { output_tokens: OUTPUT_TOKENS };
    yield named({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage });
    yield named({ type: 'message_stop' });
  },
};

/** OpenAI Responses: Codex. */
const responses: WireFormat = {
  matches: (url) => /\/responses(\?|$)/.test(url),
  parse(body) {
    const input = objects(body.input);
    // Tools are declared, added by an item of the input, or found by a search.
    const found = input.filter(({ type }) => type === 'additional_tools' || type === 'tool_search_output');
    return {
      isStream: body.stream === true,
      tools: [...objects(body.tools), ...found.flatMap(({ tools }) => objects(tools))].flatMap(parseResponsesTool),
      schema: fields(fields(body.text).format).schema as JsonSchema | undefined,
    };
  },
  whole: (body, { text, calls, inputTokens }) => ({
    id: makeId('resp'),
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    status: 'completed',
    model: body.model ?? 'scripted',
    output: [...(text === undefined ? [] : [messageItem(text)]), ...calls.map(callItem)],
    error: null,
    incomplete_details: null,
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: [],
    usage: {
      input_tokens: inputTokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: OUTPUT_TOKENS,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: inputTokens + OUTPUT_TOKENS,
    },
  }),
  *stream(body, answer) {
    let sequence = 0;
    const named = (type: string, data: Fields): StreamEvent => ({
      event: type,
      data: { type, sequence_number: sequence++, ...data },
    });
    const response = responses.whole(body, answer);
    const begun = { ...response, status: 'in_progress', output: [], usage: null };
    yield named('response.created', { response: begun });
    for (const [output_index, item] of objects(response.output).entries()) {
      yield named('response.output_item.added', { output_index, item: { ...item, status: 'in_progress' } });
      yield named('response.output_item.done', { output_index, item });
    }
    yield named('response.completed', { response });
  },
};

function parseResponsesTool(tool: Fields): readonly OfferedTool[] {
  if (tool.type === 'namespace') {
    return objects(tool.tools).flatMap((inner) =>
      parseResponsesTool(inner).map((offered) => ({ ...offered, namespace: String(tool.name) })),
    );
  }
  const name = tool.name ?? (tool.type === 'tool_search' ? tool.type : undefined);
  if (typeof name !== 'string') return [];
  return [{ name, schema: tool.parameters as JsonSchema, isFreeform: tool.type === 'custom' }];
}

function messageItem(text: string): Fields {
  const content = [{ type: 'output_text', text, annotations: [] }];
  return { type: 'message', id: makeId('msg'), status: 'completed', role: 'assistant', content };
}

function callItem({ id, name, input, namespace }: ModelCall): Fields {
  const base = { status: 'completed', call_id: id, ...(namespace === undefined ? {} : { namespace }) };
  if (name === 'tool_search') {
    return { type: 'tool_search_call', id: `tsc_${id}`, ...base, execution: 'client', arguments: input };
  }
  return typeof input === 'string'
    ? { type: 'custom_tool_call', id: `ctc_${id}`, ...base, name, input }
    : { type: 'function_call', id: `fc_${id}`, ...base, name, arguments: JSON.stringify(input) };
}

/** OpenAI Chat Completions: opencode, pi, Copilot CLI, Qwen Code, Cline. */
const chat: WireFormat = {
  matches: (url) => /\/chat\/completions(\?|$)/.test(url),
  parse: (body) => ({
    isStream: body.stream === true,
    tools: objects(body.tools).map((tool) => ({
      name: String(fields(tool.function).name),
      schema: fields(tool.function).parameters as JsonSchema,
    })),
    schema: fields(fields(body.response_format).json_schema).schema as JsonSchema | undefined,
  }),
  whole: (body, answer) => ({
    ...chatHead(body, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: answer.text ?? null,
          ...(answer.calls.length > 0 ? { tool_calls: answer.calls.map(chatCall) } : {}),
        },
        finish_reason: answer.calls.length > 0 ? 'tool_calls' : 'stop',
      },
    ],
    usage: chatUsage(answer),
  }),
  *stream(body, answer) {
    const head = chatHead(body, 'chat.completion.chunk');
    const chunk = (delta: Fields, finish_reason: string | null = null): StreamEvent => ({
      data: { ...head, choices: [{ index: 0, delta, finish_reason }] },
    });
    yield chunk({ role: 'assistant', content: '' });
    if (answer.text !== undefined) yield chunk({ content: answer.text });
    if (answer.calls.length > 0) yield chunk({ tool_calls: answer.calls.map(chatCall) });
    yield chunk({}, answer.calls.length > 0 ? 'tool_calls' : 'stop');
    yield { data: { ...head, choices: [], usage: chatUsage(answer) } };
    yield { data: '[DONE]' };
  },
};

function chatHead(body: Fields, object: string): Fields {
  return { id: makeId('chatcmpl'), object, created: Math.floor(Date.now() / 1000), model: body.model ?? 'scripted' };
}

function chatCall({ id, name, input }: ModelCall, index: number): Fields {
  return { index, id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
}

function chatUsage({ inputTokens }: Answer): Fields {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: OUTPUT_TOKENS,
    total_tokens: inputTokens + OUTPUT_TOKENS,
  };
}

/** Gemini: Gemini CLI. */
const gemini: WireFormat = {
  matches: (url) => /:(stream)?generateContent(\?|$)/i.test(url),
  parse: (body, url) => ({
    isStream: /:streamGenerateContent/i.test(url),
    tools: objects(body.tools).flatMap(({ functionDeclarations }) =>
      objects(functionDeclarations).map(({ name, parameters, parametersJsonSchema }) => ({
        name: String(name),
        schema: (parametersJsonSchema ?? parameters) as JsonSchema,
      })),
    ),
    schema: (fields(body.generationConfig).responseJsonSchema ??
      fields(body.generationConfig).responseSchema) as JsonSchema,
  }),
  whole: (_body, { text, calls, inputTokens }) => ({
    candidates: [
      {
        index: 0,
        finishReason: 'STOP',
        content: {
          role: 'model',
          parts: [
            ...(text === undefined ? [] : [{ text }]),
            ...calls.map(({ id, name, input }) => ({ functionCall: { id, name, args: input } })),
          ],
        },
      },
    ],
    usageMetadata: {
      promptTokenCount: inputTokens,
      candidatesTokenCount: OUTPUT_TOKENS,
      totalTokenCount: inputTokens + OUTPUT_TOKENS,
    },
    modelVersion: 'scripted',
    responseId: makeId('r'),
  }),
  *stream(body, answer) {
    yield { data: gemini.whole(body, answer) };
  },
};

/** The formats that agents ask models in. */
export const WIRE_FORMATS: readonly WireFormat[] = [anthropic, responses, chat, gemini];
