type Fields = Readonly<Record<string, unknown>>;

export const SESSION = '5f0c1a52-0000-4000-8000-000000000001';
export const CWD = '/home/ada/code/kettle';

let count = 0;

/** What every line of a turn has. */
export function line(fields: Fields): Fields {
  count++;
  const second = String(count % 60).padStart(2, '0');
  return {
    parentUuid: null,
    isSidechain: false,
    userType: 'external',
    cwd: CWD,
    sessionId: SESSION,
    version: '2.1.200',
    gitBranch: 'main',
    uuid: `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`,
    timestamp: `2026-03-01T10:00:${second}.000Z`,
    ...fields,
  };
}

/** A turn of the user. */
export function user(content: unknown, fields: Fields = {}): Fields {
  return line({ type: 'user', message: { role: 'user', content }, ...fields });
}

/** One line of a reply: Claude Code writes one per block. */
export function reply(id: string, block: unknown, fields: Fields = {}): Fields {
  const usage = {
    input_tokens: 10,
    output_tokens: 20,
    cache_creation_input_tokens: 30,
    cache_read_input_tokens: 40,
  };
  const message = {
    id,
    type: 'message',
    role: 'assistant',
    model: 'claude-opus-9',
    content: [block],
    stop_reason: 'tool_use',
    usage,
  };
  return line({ type: 'assistant', requestId: `req_${id}`, message, ...fields });
}

export function text(words: string): Fields {
  return { type: 'text', text: words };
}

export function call(id: string, name: string, input: unknown): Fields {
  return { type: 'tool_use', id, name, input };
}

/** The line with the result of a call. */
export function result(callId: string, content: unknown, fields: Fields = {}, block: Fields = {}): Fields {
  return user([{ tool_use_id: callId, type: 'tool_result', content, ...block }], fields);
}

/** The line with a call that failed. */
export function failure(callId: string, content: string): Fields {
  return result(callId, content, { toolUseResult: `Error: ${content}` }, { is_error: true });
}

export function shellResult(callId: string, stdout: string, more: Fields = {}): Fields {
  const toolUseResult = { stdout, stderr: '', interrupted: false, isImage: false, ...more };
  return result(callId, stdout, { toolUseResult }, { is_error: false });
}
