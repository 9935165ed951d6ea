import { YoreError } from '../../record/index.ts';
import { JsonText } from './json-text.ts';

/** Error codes of JSON-RPC 2.0. */
export const RPC_ERROR = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParameters: -32602,
  internal: -32603,
  /** An error of yore; `data.code` says which. */
  yore: -32000,
} as const;

/** What became of a call. */
export type CallOutcome =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: RpcError };

/** An error as it goes over the wire. */
interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: { readonly code: string };
}

/** Runs a method by name, for a client that stays connected or for whoever. May throw or reject. */
export type CallMethod = (method: string, params: unknown, client?: object) => Promise<CallOutcome>;

/**
 * Answers one message of JSON-RPC 2.0. Undefined for a notification, which has no answer. Never rejects; `onError` is
 * told of what nobody foresaw, and the client only that it happened.
 */
export async function answerRpc(
  message: string,
  call: CallMethod,
  onError: (error: unknown) => void,
  client?: object,
): Promise<string | undefined> {
  const parsed = parseRequest(message);
  if (!parsed.ok) return answerText(parsed.id, { ok: false, error: parsed.error });
  const { id, method, params } = parsed;
  let outcome: CallOutcome;
  try {
    outcome = await call(method, params, client);
  } catch (error) {
    if (!(error instanceof YoreError)) onError(error);
    outcome = { ok: false, error: toRpcError(error) };
  }
  return id === undefined ? undefined : answerText(id, outcome);
}

/** What the server says unasked. */
export function notificationText(method: string, params: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params });
}

type Id = string | number | null;

type ParsedRequest =
  | { readonly ok: true; readonly id: Id | undefined; readonly method: string; readonly params: unknown }
  | { readonly ok: false; readonly id: Id; readonly error: RpcError };

function parseRequest(message: string): ParsedRequest {
  let value: unknown;
  try {
    value = JSON.parse(message);
  } catch {
    return refusal(null, RPC_ERROR.parse, 'The message is not valid JSON.');
  }
  if (Array.isArray(value)) {
    return refusal(null, RPC_ERROR.invalidRequest, 'Batches are not taken: send each call by itself.');
  }
  if (typeof value !== 'object' || value === null) {
    return refusal(null, RPC_ERROR.invalidRequest, 'The message is not a call: send {"jsonrpc":"2.0",…}.');
  }
  const { jsonrpc, id, method, params } = value as Readonly<Record<string, unknown>>;
  const isId = id === undefined || id === null || typeof id === 'string' || typeof id === 'number';
  const answeredId = isId && id !== undefined ? id : null;
  if (jsonrpc !== '2.0' || !isId || typeof method !== 'string') {
    return refusal(
      answeredId,
      RPC_ERROR.invalidRequest,
      'A call needs "jsonrpc": "2.0", a method, and an id that is a text or a number.',
    );
  }
  return { ok: true, id, method, params };
}

function refusal(id: Id, code: number, message: string): ParsedRequest {
  return { ok: false, id, error: { code, message } };
}

function toRpcError(error: unknown): RpcError {
  if (error instanceof YoreError) {
    return { code: RPC_ERROR.yore, message: error.message, data: { code: error.code } };
  }
  return { code: RPC_ERROR.internal, message: 'Something went wrong in the server. Try again.' };
}

function answerText(id: Id, outcome: CallOutcome): string {
  if (!outcome.ok) return JSON.stringify({ jsonrpc: '2.0', id, error: outcome.error });
  const { result = null } = outcome;
  const text = result instanceof JsonText ? result.text : JSON.stringify(result);
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${text}}`;
}
