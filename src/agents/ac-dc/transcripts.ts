import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readBytes } from '../../files/file-access.ts';
import { omitUndefined } from '../../record/object.ts';
import { type FileEdit, isApplied } from '../../record/record.ts';
import { asFields, asList, asName, asObjects, asPath, asText, asTime, type Fields } from '../transcript/fields.ts';
import { fileSource, firstFields } from '../transcript/files.ts';
import { type LineReader, readJsonLines } from '../transcript/line-reading.ts';
import {
  type AgentTranscripts,
  problem,
  skip,
  type TranscriptEvent,
  type TranscriptImage,
} from '../transcript/transcript.ts';

/** The history of AC-DC: `.ac-dc/history.jsonl` in a repository, its images in `.ac-dc/images/`. */
export const acDcTranscripts: AgentTranscripts = {
  agent: 'ac-dc',
  find: ({ projects }) =>
    projects.flatMap((project) => fileSource('ac-dc', join(project, '.ac-dc', 'history.jsonl')) ?? []),
  recognises: (path) => {
    const first = path.endsWith('.jsonl') ? firstFields(path) : undefined;
    return isRole(first?.role) && typeof first?.session_id === 'string' && typeof first.content === 'string';
  },
  read: (source, position) =>
    readJsonLines(source, position, (state) => new AcDcLineReader(dirname(source.path), state)),
};

const SUMMARY = /^\[History Summary - \d+ earlier messages?\]\s*/;

class AcDcLineReader implements LineReader {
  readonly #folder: string;
  /** The session of the previous line. */
  #state: { readonly sessionId?: string };

  constructor(folder: string, state: Fields | undefined) {
    this.#folder = folder;
    this.#state = omitUndefined({ sessionId: asName(state?.sessionId) });
  }

  state(): Fields {
    return this.#state as Fields;
  }

  *read(line: Fields): Generator<TranscriptEvent> {
    const sessionId = asName(line.session_id);
    const text = asText(line.content);
    if (sessionId === undefined || text === undefined || !isRole(line.role)) return yield problem('not a message');
    if (sessionId !== this.#state.sessionId) {
      this.#state = { sessionId };
      const isInRepository = basename(this.#folder) === '.ac-dc';
      yield { type: 'session', sessionId, ...(isInRepository ? { cwd: dirname(this.#folder) } : {}) };
    }
    const isSummary = SUMMARY.test(text);
    const images = readImages(line, this.#folder);
    const id = asName(line.id);
    yield {
      type: 'message',
      sessionId,
      role: line.role,
      text: isSummary ? text.replace(SUMMARY, '') : text,
      ...omitUndefined({
        id,
        keepsId: OWN_ID.test(id ?? '') ? (true as const) : undefined,
        timestamp: asTime(line.timestamp),
        files: listPaths(line.files),
        filesModified: listPaths(line.files_modified),
        editResults: listEdits(line.edit_results),
      }),
      ...(images.length > 0 ? { images } : {}),
      ...(isSummary ? { kind: 'checkpoint' as const, isSystem: true } : {}),
      ...(line.system_event === true ? { isSystem: true } : {}),
    };
    if (id !== undefined) yield* editEvents(line, sessionId, id);
  }
}

/** `{epoch_ms}-{uuid8}` */
const OWN_ID = /^\d{13}-[0-9a-f]{8}$/;

function listPaths(value: unknown): readonly string[] | undefined {
  const paths = asList(value).flatMap((path) => asPath(path) ?? []);
  return paths.length === 0 ? undefined : paths;
}

/** The edits as AC-DC describes them, each with the path under the name that yore uses. */
function listEdits(value: unknown): readonly FileEdit[] | undefined {
  const edits = asObjects(value).flatMap((edit) => {
    const path = findPath(edit);
    const status = asName(edit.status);
    return path === undefined ? [] : [{ ...edit, path, ...omitUndefined({ status }) } as FileEdit];
  });
  return edits.length === 0 ? undefined : edits;
}

function findPath(edit: Fields): string | undefined {
  return asName(edit.file_path) ?? asName(edit.file) ?? asName(edit.path);
}

function isRole(value: unknown): value is 'user' | 'assistant' {
  return value === 'user' || value === 'assistant';
}

const FAILED: ReadonlySet<string> = new Set(['failed', 'error', 'not_found', 'anchor_not_found']);

/** The edits of a reply, each as a call of its own. */
function* editEvents(line: Fields, sessionId: string, messageId: string): Generator<TranscriptEvent> {
  let count = 0;
  for (const edit of asObjects(line.edit_results)) {
    const path = findPath(edit);
    const status = asName(edit.status)?.toLowerCase() ?? (edit.success === true ? 'applied' : '');
    const isDone = isApplied({ status });
    const timestamp = asTime(line.timestamp);
    if (path === undefined || !(isDone || FAILED.has(status))) {
      yield skip('edit without an outcome');
      continue;
    }
    count++;
    const base = { sessionId, callId: `${messageId}-edit-${count}`, ...omitUndefined({ timestamp }) };
    const output = asText(edit.error) ?? asText(edit.message);
    yield { type: 'call', ...base, tool: 'edit_file', input: { path } };
    const result = {
      status: isDone ? ('ok' as const) : ('error' as const),
      ...omitUndefined({ output }),
    };
    yield { type: 'result', ...base, result };
  }
}

const MAX_IMAGES = 5;
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
};

/** The images that a message refers to. Only plain file names are accepted. */
function readImages(line: Fields, folder: string): readonly TranscriptImage[] {
  return asList(line.image_refs)
    .slice(0, MAX_IMAGES)
    .flatMap((ref) => {
      const name = asName(asFields(ref)?.name ?? ref);
      const type = /^[\w-]{1,100}\.(png|jpe?g|gif|webp)$/i.exec(name ?? '')?.[1];
      const mediaType = type === undefined ? undefined : MEDIA_TYPES[type.toLowerCase()];
      if (name === undefined || mediaType === undefined) return [];
      return readImage(join(folder, 'images', name), mediaType);
    });
}

function readImage(path: string, mediaType: string): readonly TranscriptImage[] {
  try {
    const found = statSync(path);
    if (!found.isFile() || found.size > MAX_IMAGE_BYTES) return [];
    return [{ mediaType, base64: readBytes(path).toString('base64') }];
  } catch {
    return [];
  }
}
