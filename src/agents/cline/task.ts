import { basename, dirname, join } from 'node:path';
import { omitUndefined, parseObject } from '../../record/object.ts';
import type { Usage } from '../../record/record.ts';
import {
  asAbsolutePath,
  asCount,
  asFields,
  asName,
  asNumber,
  asObjects,
  asText,
  type Fields,
} from '../transcript/fields.ts';
import { readJsonFile, readJsonFileIfValid } from '../transcript/files.ts';

/** A task, read from all its files. */
export interface ClineTask {
  readonly sessionId: string;
  readonly parentSessionId?: string;
  /** The folder it works in, if a file beside the messages names it. */
  readonly cwd?: string;
  /** When it started, in epoch milliseconds. */
  readonly startedAt?: number;
  readonly messages: readonly Fields[];
  /** When messages were written, by their index, as far as another file says so. */
  readonly times: ReadonlyMap<number, number>;
  /** The usage of replies, by the index of the last message before the request; -1 when there was none. */
  readonly usage: ReadonlyMap<number, Usage>;
  /** Models with the time of their first use, in order. */
  readonly models: readonly { readonly from: number; readonly model: string }[];
}

/** Opens a task by the file of its messages; returns why if it is invalid. Throws STORAGE if it cannot be read. */
export function openTask(path: string): ClineTask | string {
  const content = readJsonFile(path);
  if (typeof content === 'string') return content;
  const folder = dirname(path);
  const session = asFields(content);
  if (session) return parseSession(session, path);
  const item = readFields(join(folder, 'history_item.json'));
  const sessionId = basename(folder);
  return {
    sessionId,
    messages: asObjects(content),
    ...omitUndefined({
      parentSessionId: asName(item?.parentTaskId),
      cwd: asAbsolutePath(asName(item?.workspace) ?? item?.cwdOnTaskInitialization),
      startedAt: /^\d{13}$/.test(sessionId) ? Number(sessionId) : undefined,
    }),
    ...parseDisplayMessages(readJsonFileIfValid(join(folder, 'ui_messages.json'))),
    models: parseModels(readFields(join(folder, 'task_metadata.json'))),
  };
}

/** A session of the CLI, or of version 4: one object around the messages. The file beside it names the folder. */
function parseSession(document: Fields, path: string): ClineTask {
  const name = basename(path, '.messages.json');
  const sessionId = asName(document.sessionId) ?? name;
  const about = readFields(join(dirname(path), `${name}.json`));
  const folder = [document.cwd, document.workspaceRoot, about?.cwd, about?.workspace_root].find(asAbsolutePath);
  return {
    sessionId,
    messages: asObjects(document.messages),
    ...omitUndefined({ cwd: asAbsolutePath(folder) }),
    times: new Map(),
    usage: new Map(),
    models: [],
  };
}

/** The messages for display have the times of the others, and the usage of replies. */
function parseDisplayMessages(display: unknown): Pick<ClineTask, 'times' | 'usage'> {
  const times = new Map<number, number>();
  const usage = new Map<number, Usage>();
  for (const message of asObjects(display)) {
    const index = asNumber(message.conversationHistoryIndex);
    const time = asCount(message.ts);
    if (index !== undefined && time !== undefined && !times.has(index)) times.set(index, time);
    if (message.say !== 'api_req_started' || index === undefined) continue;
    const replyUsage = parseUsage(parseObject(asText(message.text) ?? ''));
    if (replyUsage) usage.set(index, replyUsage);
  }
  return { times, usage };
}

function parseUsage(request: Fields | undefined): Usage | undefined {
  if (!request) return undefined;
  const usage: Usage = omitUndefined({
    inputTokens: asCount(request.tokensIn),
    outputTokens: asCount(request.tokensOut),
    cacheReadTokens: asCount(request.cacheReads),
    cacheWriteTokens: asCount(request.cacheWrites),
  });
  return Object.keys(usage).length > 0 ? usage : undefined;
}

function parseModels(metadata: Fields | undefined): ClineTask['models'] {
  return asObjects(metadata?.model_usage).flatMap((use) => {
    const model = asName(use.model_id);
    return model === undefined ? [] : [{ from: asCount(use.ts) ?? 0, model }];
  });
}

function readFields(path: string): Fields | undefined {
  return asFields(readJsonFileIfValid(path));
}
