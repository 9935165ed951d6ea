type Fields = Readonly<Record<string, unknown>>;

export const SESSION = '019c0000-0000-7000-8000-000000000001';
export const CWD = '/home/ada/code/kettle';

let count = 0;

/** A line of a rollout. */
export function line(type: string, payload: Fields, timestamp?: string): Fields {
  count++;
  const time = timestamp ?? `2026-04-01T10:00:${String(count % 60).padStart(2, '0')}.000Z`;
  return { timestamp: time, type, payload };
}

export function head(fields: Fields = {}): Fields {
  return line('session_meta', {
    id: SESSION,
    timestamp: '2026-04-01T10:00:00.000Z',
    cwd: CWD,
    originator: 'codex-tui',
    cli_version: '0.150.0',
    source: 'cli',
    git: { commit_hash: 'abc123', branch: 'main', repository_url: 'https://example.com/kettle.git' },
    ...fields,
  });
}

export function event(type: string, fields: Fields = {}): Fields {
  return line('event_msg', { type, ...fields });
}

export function item(type: string, fields: Fields = {}): Fields {
  return line('response_item', { type, ...fields });
}

/** What the user said, as Codex writes it: twice. */
export function user(words: string): readonly Fields[] {
  const content = [{ type: 'input_text', text: words }];
  return [item('message', { role: 'user', content }), event('user_message', { message: words, images: [] })];
}

/** What the model said, as Codex writes it: twice. */
export function reply(words: string): readonly Fields[] {
  const content = [{ type: 'output_text', text: words }];
  return [event('agent_message', { message: words }), item('message', { role: 'assistant', content })];
}

export function call(callId: string, name: string, input: unknown): Fields {
  return item('function_call', { name, arguments: JSON.stringify(input), call_id: callId });
}

export function output(callId: string, words: unknown): Fields {
  return item('function_call_output', { call_id: callId, output: words });
}

/** A call of a command, and how it ended. */
export function command(callId: string, words: string, exitCode: number, printed: string): readonly Fields[] {
  const text = `Chunk ID: a1b2c3\nWall time: 0.2500 seconds\nProcess exited with code ${exitCode}\nOriginal token count: 3\nOutput:\n${printed}`;
  return [call(callId, 'exec_command', { cmd: words, workdir: CWD }), output(callId, text)];
}

export function tokens(total: number): Fields {
  const last = {
    input_tokens: 100,
    cached_input_tokens: 60,
    output_tokens: 7,
    reasoning_output_tokens: 2,
    total_tokens: 107,
  };
  return event('token_count', {
    info: { total_token_usage: { total_tokens: total }, last_token_usage: last },
  });
}
