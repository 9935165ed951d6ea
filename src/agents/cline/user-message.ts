import { omitUndefined } from '../../record/object.ts';
import { extractElements } from '../transcript/elements.ts';
import { asFields, asName, asObjects, asText, type Fields, listTexts } from '../transcript/fields.ts';
import type { TranscriptImage } from '../transcript/transcript.ts';
import { type Operation, parseOperations } from './call-result.ts';

/** The parts of a user's turn: results of calls, what the user said, and what the program injected. */
export interface UserMessage {
  readonly results: readonly TurnResult[];
  /** What the user said; empty when that is nothing. */
  readonly text: string;
  readonly images: readonly TranscriptImage[];
  readonly hasInjected: boolean;
}

/** The result of a call, as text for the model. */
export interface TurnResult {
  /** Left out where calls have no ids: results come in the order of the calls then. */
  readonly callId?: string;
  readonly tool?: string;
  readonly text: string;
  readonly isError: boolean;
  /** What the parts of the call did, in the CLI; empty elsewhere. */
  readonly operations: readonly Operation[];
}

const ENVIRONMENT = 'environment_details';
const MODE_NOTICE = 'mode_notice';
const SAID_ELEMENTS: ReadonlySet<string> = new Set([
  'task',
  'feedback',
  'answer',
  'user_message',
  'user_input',
  'user_command',
]);
const ELEMENTS: ReadonlySet<string> = new Set([
  ENVIRONMENT,
  ...SAID_ELEMENTS,
  'explicit_instructions',
  'file_content',
  'folder_content',
  'git_commit',
  'git_working_state',
  'hook_context',
  MODE_NOTICE,
  'new_task',
  'task_progress',
  'terminal_output',
  'url_content',
  'workspace_diagnostics',
]);
const ONLY_ENVIRONMENT: ReadonlySet<string> = new Set([ENVIRONMENT]);
const ONLY_NOTICE: ReadonlySet<string> = new Set([MODE_NOTICE]);

/** How the text of a result begins when the user answered. Other results may contain any element. */
const ANSWERED = /^(?:The user (?:denied|approved|has provided|provided)|<(?:answer|feedback|user_message)>|\[?User )/;

/** Splits a user's turn into its parts. */
export function parseUserMessage(content: unknown): UserMessage {
  const turn = new TurnBuilder();
  if (typeof content === 'string') turn.addText(content);
  else for (const block of asObjects(content)) turn.add(block);
  return turn.build();
}

/** The working folder in the environment details of a turn. */
export function findWorkingFolder(content: unknown): string | undefined {
  const texts =
    typeof content === 'string' ? [content] : asObjects(content).flatMap((block) => asText(block.text) ?? []);
  for (const text of texts) {
    const at = text.indexOf(`<${ENVIRONMENT}>`);
    if (at < 0) continue;
    const found = /^# Current (?:Working|Workspace) Directory \((.{1,1000})\)(?: Files)?\s*$/m.exec(text.slice(at));
    const folder = found?.[1];
    if (folder !== undefined && /^(?:\/|[A-Za-z]:[\\/])/.test(folder)) return folder;
  }
  return undefined;
}

class TurnBuilder {
  readonly #results: (Omit<TurnResult, 'text'> & { text: string })[] = [];
  readonly #said: string[] = [];
  readonly #images: TranscriptImage[] = [];
  /** Text outside of elements and results. */
  readonly #loose: string[] = [];
  #hasInjected = false;
  /** Whether the following text blocks belong to the last result. */
  #isInResult = false;

  add(block: Fields): void {
    if (block.type === 'text') this.addText(asText(block.text) ?? '');
    else if (block.type === 'image') this.#images.push(...parseImage(block));
    else if (block.type === 'tool_result') this.#addResult(block);
  }

  addText(text: string): void {
    const header = parseHeader(text.trimStart());
    if (header) {
      this.#isInResult = true;
      const text = this.#resultText(header.rest);
      this.#results.push({ tool: header.tool, text, isError: false, operations: [] });
      return;
    }
    const result = this.#isInResult ? this.#results.at(-1) : undefined;
    if (result) {
      const more = this.#resultText(text);
      result.text = result.text === '' ? more : `${result.text}\n${more}`.trimEnd();
      return;
    }
    const { rest, elements } = extractElements(text, ELEMENTS);
    for (const { name, content } of elements) this.#addElement(name, content);
    if (rest.trim() !== '') this.#loose.push(rest.trim());
  }

  build(): UserMessage {
    // Loose text is the user's only if there is nothing else and it does not look like the program's.
    const isBare = this.#results.length === 0 && this.#said.length === 0;
    const isTyped = isBare && !/^[[#<]/.test(this.#loose[0] ?? '');
    const said = isTyped ? this.#loose : this.#said;
    const isFromUser = said.length > 0 || this.#results.length === 0;
    return {
      results: this.#results,
      text: said.filter((text) => text !== '').join('\n\n'),
      // Images beside results are output of tools.
      images: isFromUser ? this.#images : [],
      hasInjected: this.#hasInjected || (!isTyped && this.#loose.length > 0),
    };
  }

  #addResult(block: Fields): void {
    const callId = asName(block.tool_use_id);
    const text = listTexts(block.content).join('\n');
    const header = parseHeader(text.trimStart());
    const isError = block.is_error === true;
    const kept = this.#resultText(header?.rest ?? text);
    const operations = parseOperations(block.content);
    this.#results.push({ ...omitUndefined({ callId }), text: kept, isError, operations });
    this.#isInResult = false;
  }

  /** The text of a result without what the program added. An answer of the user in it counts as said. */
  #resultText(text: string): string {
    const { rest, elements } = extractElements(text, ONLY_ENVIRONMENT);
    if (elements.length > 0) this.#hasInjected = true;
    const kept = rest.trim();
    if (!ANSWERED.test(kept)) return kept;
    const answered = extractElements(kept, SAID_ELEMENTS);
    for (const { name, content } of answered.elements) this.#addElement(name, content);
    return answered.rest.trim();
  }

  #addElement(name: string, content: string): void {
    if (SAID_ELEMENTS.has(name)) this.#said.push(extractElements(content, ONLY_NOTICE).rest.trim());
    else this.#hasInjected = true;
  }
}

const HEADER_END = '] Result:';
const MAX_HEADER_LENGTH = 20_000;

/** `[execute_command for 'npm test'] Result:` and what follows it. */
function parseHeader(text: string): { readonly tool: string; readonly rest: string } | undefined {
  const tool = /^\[([a-z_]{2,60})(?= |\])/.exec(text)?.[1];
  if (tool === undefined) return undefined;
  const end = text.slice(0, MAX_HEADER_LENGTH).indexOf(HEADER_END);
  return end < 0 ? undefined : { tool, rest: text.slice(end + HEADER_END.length) };
}

function parseImage(block: Fields): readonly TranscriptImage[] {
  const source = asFields(block.source);
  const mediaType = asName(source?.media_type) ?? asName(block.mediaType);
  const base64 = asText(source?.data) ?? asText(block.data);
  return mediaType === undefined || base64 === undefined ? [] : [{ mediaType, base64 }];
}
