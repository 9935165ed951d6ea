import { YoreError } from '../../record/index.ts';
import { KEY_VARIABLES, type ModelSettings } from './open-model.ts';

/** A failed request, as far as the AI SDK and Node.js describe it. */
interface RequestFailure {
  readonly message: string;
  readonly statusCode?: number;
  readonly url?: string;
  readonly responseBody?: string;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** A system error code, e.g. ECONNREFUSED. */
  readonly code?: string;
}

/** How providers say that a prompt is too long. */
const TOO_LONG =
  /context.{0,20}(?:length|window|limit|size)|too (?:long|large|many tokens)|exceeds? (?:the )?(?:maximum|limit|available context)|maximum (?:context|number of tokens)|input token count/i;
const MAX_DETAIL_LENGTH = 200;

/** Converts a failed request to a YoreError that says what went wrong, where, and what to do. */
export function toModelError(thrown: unknown, settings: ModelSettings): YoreError {
  if (thrown instanceof YoreError) return thrown;
  const failure = describe(thrown);
  const { provider, name } = settings;
  const { statusCode, code } = failure;
  const detail = formatDetail(failure);
  const error = (message: string): YoreError => new YoreError('MODEL', message, { cause: thrown });
  if (isTooLong(failure)) {
    const message = `The prompt is too long for ${name}: ${detail} Drop files with /drop, or compact the history with /compact.`;
    return new YoreError('OVERFLOW', message, { cause: thrown });
  }
  if (statusCode === 401 || statusCode === 403) {
    const variables = KEY_VARIABLES[provider].join(' or ');
    return error(`${provider} rejected the API key: ${detail} Check ${variables} in the environment.`);
  }
  if (statusCode === 404)
    return error(`${provider} has no model ${name}: ${detail} Check \`yore config get model.name\`.`);
  if (statusCode === 429) return error(`${provider} received too many requests: ${detail} Try again in a moment.`);
  if (statusCode !== undefined && statusCode >= 500)
    return error(`${provider} failed with status ${statusCode}: ${detail} Try again in a moment.`);
  if (statusCode !== undefined) return error(`${provider} rejected the request with status ${statusCode}: ${detail}`);
  if (code !== undefined) {
    const where = failure.url ?? settings.baseUrl ?? provider;
    return error(`${where} cannot be reached (${code}). Check that the server is running and the network is up.`);
  }
  return error(`The reply from ${provider} was interrupted: ${detail} Ask again.`);
}

/** Whether a retry may help: the provider is overloaded, or the connection failed temporarily. */
export function isRetryable(thrown: unknown): boolean {
  const failure = describe(thrown);
  const { statusCode } = failure;
  if (statusCode === undefined) return failure.code === 'ECONNRESET' || failure.code === 'ETIMEDOUT';
  return !isTooLong(failure) && (statusCode === 408 || statusCode === 429 || statusCode >= 500);
}

/** How long the provider asks to wait, in milliseconds. */
export function readRetryAfter(thrown: unknown): number | undefined {
  const { responseHeaders = {} } = describe(thrown);
  const milliseconds = Number(responseHeaders['retry-after-ms']);
  if (Number.isFinite(milliseconds) && milliseconds > 0) return milliseconds;
  const seconds = Number(responseHeaders['retry-after']);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : undefined;
}

function isTooLong({ statusCode, message, responseBody = '' }: RequestFailure): boolean {
  if (statusCode === 413) return true;
  if (statusCode !== undefined && statusCode !== 400 && statusCode !== 422) return false;
  return TOO_LONG.test(`${message} ${responseBody.slice(0, 2000)}`);
}

function formatDetail({ message }: RequestFailure): string {
  const line = message.replace(/\s+/g, ' ').trim().slice(0, MAX_DETAIL_LENGTH);
  return line === '' || /[.!?]$/.test(line) ? line : `${line}.`;
}

/** Errors are nested: the status is on an outer one, the system error code on an inner one. */
function describe(thrown: unknown): RequestFailure {
  const found: { -readonly [Key in keyof RequestFailure]: RequestFailure[Key] } = { message: '' };
  let inner: unknown = thrown;
  for (let depth = 0; depth < 6 && typeof inner === 'object' && inner !== null; depth += 1) {
    const fields = inner as Partial<RequestFailure> & {
      readonly cause?: unknown;
      readonly lastError?: unknown;
    };
    if (found.message === '' && typeof fields.message === 'string') found.message = fields.message;
    if (typeof fields.statusCode === 'number') found.statusCode ??= fields.statusCode;
    if (typeof fields.url === 'string') found.url ??= fields.url;
    if (typeof fields.responseBody === 'string') found.responseBody ??= fields.responseBody;
    if (typeof fields.responseHeaders === 'object') found.responseHeaders ??= fields.responseHeaders;
    if (typeof fields.code === 'string') found.code ??= fields.code;
    inner = fields.cause ?? fields.lastError;
  }
  if (found.message === '') found.message = describeValue(thrown);
  return found;
}

/** Some providers send an error as a plain object in the stream. */
function describeValue(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  const nested = (thrown as { readonly error?: { readonly message?: unknown } }).error?.message;
  return typeof nested === 'string' ? nested : JSON.stringify(thrown).slice(0, MAX_DETAIL_LENGTH);
}
