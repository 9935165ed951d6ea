import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { storageError } from '../../files/index.ts';
import type { Usage } from '../../record/index.ts';
import { MAX_DOCUMENT_BYTES } from '../transcript/document.ts';
import {
  asCount,
  asFields,
  asName,
  asNumber,
  asObjects,
  asText,
  defined,
  type Fields,
  parseFields,
} from '../transcript/fields.ts';

/** A task with all that its files say of it. */
export interface ClineTask {
  readonly sessionId: string;
  readonly parentSessionId?: string;
  /** The folder it works in, where a file beside the messages names it. */
  readonly cwd?: string;
  /** When it was begun, in milliseconds. */
  readonly begun?: number;
  readonly messages: readonly Fields[];
  /** When a message was written, by its index, where another file tells. */
  readonly times: ReadonlyMap<number, number>;
  /** What a reply cost, by the index of the last message when it was asked for; -1 when there was none. */
  readonly usage: ReadonlyMap<number, Usage>;
  /** Models with the time from which they were used, in order. */
  readonly models: readonly { readonly from: number; readonly model: string }[];
}

/** Opens a task by the file of its messages; says why if it cannot be understood. Throws STORAGE when there is none. */
export function openTask(path: string): ClineTask | string {
  const document = documentIn(path);
  if (typeof document === 'string') return document;
  const folder = dirname(path);
  const sdk = asFields(document.value);
  const messages = asObjects(sdk ? sdk.messages : document.value);
  if (sdk) return { ...sdkTask(sdk, path), messages };
  const item = optional(join(folder, 'history_item.json'));
  const parentSessionId = asName(item?.parentTaskId);
  const workspace = asName(item?.workspace) ?? asName(item?.cwdOnTaskInitialization);
  const sessionId = basename(folder);
  return {
    sessionId,
    messages,
    ...defined({
      parentSessionId,
      cwd: workspace !== undefined && isAbsolute(workspace) ? workspace : undefined,
      begun: /^\d{13}$/.test(sessionId) ? Number(sessionId) : undefined,
    }),
    ...fromDisplay(documentIfThere(join(folder, 'ui_messages.json'))),
    models: modelsIn(optional(join(folder, 'task_metadata.json'))),
  };
}

/** A session of version 4: one document with an object around the messages. */
function sdkTask(document: Fields, path: string): Omit<ClineTask, 'messages'> {
  const sessionId = asName(document.sessionId) ?? basename(path, '.messages.json');
  const cwd = asName(document.cwd) ?? asName(document.workspaceRoot);
  return {
    sessionId,
    ...defined({ cwd: cwd !== undefined && isAbsolute(cwd) ? cwd : undefined }),
    times: new Map(),
    usage: new Map(),
    models: [],
  };
}

/** What the messages for display tell of the others: their times, and what replies cost. */
function fromDisplay(display: unknown): Pick<ClineTask, 'times' | 'usage'> {
  const times = new Map<number, number>();
  const usage = new Map<number, Usage>();
  for (const message of asObjects(display)) {
    const index = asNumber(message.conversationHistoryIndex);
    const time = asCount(message.ts);
    if (index !== undefined && time !== undefined && !times.has(index)) times.set(index, time);
    if (message.say !== 'api_req_started' || index === undefined) continue;
    const spent = usageOf(parseFields(asText(message.text) ?? ''));
    if (spent) usage.set(index, spent);
  }
  return { times, usage };
}

function usageOf(request: Fields | undefined): Usage | undefined {
  if (!request) return undefined;
  const usage: Usage = defined({
    inputTokens: asCount(request.tokensIn),
    outputTokens: asCount(request.tokensOut),
    cacheReadTokens: asCount(request.cacheReads),
    cacheWriteTokens: asCount(request.cacheWrites),
  });
  return Object.keys(usage).length > 0 ? usage : undefined;
}

function modelsIn(metadata: Fields | undefined): ClineTask['models'] {
  return asObjects(metadata?.model_usage).flatMap((use) => {
    const model = asName(use.model_id);
    return model === undefined ? [] : [{ from: asCount(use.ts) ?? 0, model }];
  });
}

function optional(path: string): Fields | undefined {
  return asFields(documentIfThere(path));
}

function documentIfThere(path: string): unknown {
  try {
    const document = documentIn(path);
    return typeof document === 'string' ? undefined : document.value;
  } catch {
    return undefined;
  }
}

function documentIn(path: string): { readonly value: unknown } | string {
  let text: string;
  try {
    if (statSync(path).size > MAX_DOCUMENT_BYTES) return 'document of more than 64 MB';
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw storageError('read', path, error);
  }
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { value } : 'not a list of messages';
  } catch {
    return 'broken JSON';
  }
}
