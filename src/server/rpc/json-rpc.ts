import { YoreError } from '../../record/index.ts';

/** Error codes of JSON-RPC 2.0. */
export const RPC_ERROR = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParameters: -32602,
  internal: -32603,
  /** A `YoreError`; `data.code` is its code. */
  yore: -32000,
} as const;

/** The result of a call, or why it failed. */
export type CallOutcome =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: RpcError };

interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: { readonly code: string };
}

/** Runs a method by name. `client` stands for the connection, if there is one. May throw or reject. */
export type CallMethod = (method: string, params: unknown, client?: object) => Promise<CallOutcome>;

/** A result that another thread has serialised already. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** How many bytes of content one response holds at most, unless a single record is larger. */
export const MAX_RESPONSE_BYTES: number = 4 * 1024 * 1024;

/** The size of a value as JSON, in bytes. */
export function byteSize(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}

/**
 * Handles one JSON-RPC message. Resolves to the response; undefined for a notification, which has none. Never rejects.
 * Unexpected errors go to `onError`; the client learns only that there was one.
 */
export async function handleRpc(
  message: string,
  call: CallMethod,
  onError: (error: unknown) => void,
  client?: object,
): Promise<string | undefined> {
  const parsed = parseRequest(message);
  if (!parsed.ok) return formatResponse(parsed.id, { ok: false, error: parsed.error });
  const { id, method, params } = parsed;
  let outcome: CallOutcome;
  try {
    outcome = await call(method, params, client);
  } catch (error) {
    if (!(error instanceof YoreError)) onError(error);
    outcome = { ok: false, error: toRpcError(error) };
  }
  return id === undefined ? undefined : formatResponse(id, outcome);
}

/** A notification of the server as a JSON-RPC message. */
export function formatNotification(method: string, params: unknown): string {
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
    return invalid(null, RPC_ERROR.parse, 'The message is not valid JSON.');
  }
  if (Array.isArray(value)) {
    return invalid(null, RPC_ERROR.invalidRequest, 'Batches are not supported. Send each call in its own message.');
  }
  if (typeof value !== 'object' || value === null) {
    return invalid(null, RPC_ERROR.invalidRequest, 'The message is not a call. Send {"jsonrpc":"2.0",…}.');
  }
  const { jsonrpc, id, method, params } = value as Readonly<Record<string, unknown>>;
  const isId = id === undefined || id === null || typeof id === 'string' || typeof id === 'number';
  const responseId = isId && id !== undefined ? id : null;
  if (jsonrpc !== '2.0' || !isId || typeof method !== 'string') {
    return invalid(
      responseId,
      RPC_ERROR.invalidRequest,
      'A call needs "jsonrpc": "2.0", a method, and an id that is a string or a number.',
    );
  }
  return { ok: true, id, method, params };
}

function invalid(id: Id, code: number, message: string): ParsedRequest {
  return { ok: false, id, error: { code, message } };
}

function toRpcError(error: unknown): RpcError {
  if (error instanceof YoreError) {
    return { code: RPC_ERROR.yore, message: error.message, data: { code: error.code } };
  }
  return { code: RPC_ERROR.internal, message: 'Something went wrong in the server. Try again.' };
}

function formatResponse(id: Id, outcome: CallOutcome): string {
  if (!outcome.ok) return JSON.stringify({ jsonrpc: '2.0', id, error: outcome.error });
  const { result = null } = outcome;
  const text = result instanceof JsonText ? result.text : JSON.stringify(result);
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${text}}`;
}
