import { YoreError } from '../../record/index.ts';
import type { ModelSettings } from './model-settings.ts';
import { KEY_VARIABLES } from './open-model.ts';

/** What a failed request to a model says of itself, as far as the AI SDK and Node.js tell. */
interface Failed {
  readonly message: string;
  readonly statusCode?: number;
  readonly url?: string;
  readonly responseBody?: string;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** Of the system, for instance ECONNREFUSED. */
  readonly code?: string;
}

/** How providers say that a prompt is too long. */
const TOO_LONG =
  /context.{0,20}(?:length|window|limit|size)|too (?:long|large|many tokens)|exceeds? (?:the )?(?:maximum|limit|available context)|maximum (?:context|number of tokens)|input token count/i;
const LONGEST_DETAIL = 200;

/** Puts what went wrong with a request into words: what, where, and what to do. */
export function modelError(thrown: unknown, settings: ModelSettings): YoreError {
  if (thrown instanceof YoreError) return thrown;
  const failed = describe(thrown);
  const { provider, name } = settings;
  const detail = detailOf(failed);
  const { statusCode } = failed;
  const error = (message: string): YoreError => new YoreError('MODEL', message, { cause: thrown });
  if (isTooLong(failed)) {
    return new YoreError(
      'OVERFLOW',
      `The prompt is too long for ${name}: ${detail} Drop files with /drop, or shorten the history with /compact.`,
      { cause: thrown },
    );
  }
  if (statusCode === 401 || statusCode === 403) {
    return error(
      `${provider} refused the key: ${detail} Check ${KEY_VARIABLES[provider].join(' or ')} in the environment.`,
    );
  }
  if (statusCode === 404) {
    return error(`${provider} does not know ${name}: ${detail} Check \`yore config get model.name\`.`);
  }
  if (statusCode === 429)
    return error(`${provider} asks to wait (too many requests): ${detail} Try again in a moment.`);
  if (statusCode !== undefined && statusCode >= 500) {
    return error(`${provider} failed with status ${statusCode}: ${detail} Try again in a moment.`);
  }
  if (statusCode !== undefined)
    return error(`${provider} refused the request with status ${statusCode}: ${detail}`);
  if (failed.code !== undefined) {
    const where = failed.url ?? settings.baseUrl ?? provider;
    return error(`${where} cannot be reached (${failed.code}). Is the server running, and the network up?`);
  }
  return error(`${provider} broke off: ${detail} Ask again.`);
}

/** Whether asking again may help: the provider has too much to do, or nothing was reached. */
export function mayPass(thrown: unknown): boolean {
  const failed = describe(thrown);
  const { statusCode } = failed;
  if (statusCode === undefined) return failed.code === 'ECONNRESET' || failed.code === 'ETIMEDOUT';
  return !isTooLong(failed) && (statusCode === 408 || statusCode === 429 || statusCode >= 500);
}

/** How long the provider asks to wait, in milliseconds. */
export function askedWait(thrown: unknown): number | undefined {
  const { responseHeaders = {} } = describe(thrown);
  const exact = Number(responseHeaders['retry-after-ms']);
  if (Number.isFinite(exact) && exact > 0) return exact;
  const seconds = Number(responseHeaders['retry-after']);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : undefined;
}

function isTooLong({ statusCode, message, responseBody = '' }: Failed): boolean {
  if (statusCode === 413) return true;
  if (statusCode !== undefined && statusCode !== 400 && statusCode !== 422) return false;
  return TOO_LONG.test(`${message} ${responseBody.slice(0, 2000)}`);
}

function detailOf({ message }: Failed): string {
  const line = message.replace(/\s+/g, ' ').trim().slice(0, LONGEST_DETAIL);
  return line === '' || /[.!?]$/.test(line) ? line : `${line}.`;
}

/** Errors come wrapped: the status is on the outer one, the code of the system on an inner one. */
function describe(thrown: unknown): Failed {
  const found: { -readonly [Key in keyof Failed]: Failed[Key] } = { message: '' };
  let inner: unknown = thrown;
  for (let depth = 0; depth < 6 && typeof inner === 'object' && inner !== null; depth += 1) {
    const fields = inner as Partial<Failed> & { readonly cause?: unknown; readonly lastError?: unknown };
    if (found.message === '' && typeof fields.message === 'string') found.message = fields.message;
    if (typeof fields.statusCode === 'number') found.statusCode ??= fields.statusCode;
    if (typeof fields.url === 'string') found.url ??= fields.url;
    if (typeof fields.responseBody === 'string') found.responseBody ??= fields.responseBody;
    if (typeof fields.responseHeaders === 'object') found.responseHeaders ??= fields.responseHeaders;
    if (typeof fields.code === 'string') found.code ??= fields.code;
    inner = fields.cause ?? fields.lastError;
  }
  if (found.message === '') found.message = typeof thrown === 'string' ? thrown : messageOf(thrown);
  return found;
}

/** Some providers send an error as a plain object in the stream. */
function messageOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  const nested = (thrown as { readonly error?: { readonly message?: unknown } }).error?.message;
  return typeof nested === 'string' ? nested : JSON.stringify(thrown).slice(0, LONGEST_DETAIL);
}
