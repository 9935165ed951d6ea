import { asFields, asList, asName, asText, type Fields } from '../transcript/fields.ts';
import type { TranscriptImage } from '../transcript/transcript-event.ts';

/** The parts of a message by kind. Thoughts are left out. */
interface GeminiParts {
  readonly texts: readonly string[];
  readonly images: readonly TranscriptImage[];
  readonly calls: readonly Fields[];
  readonly responses: readonly Fields[];
}

/** Splits content into its parts: a text, a part or a list of them. Anything else has no parts. */
export function splitParts(content: unknown): GeminiParts {
  const texts: string[] = [];
  const images: TranscriptImage[] = [];
  const calls: Fields[] = [];
  const responses: Fields[] = [];
  for (const item of Array.isArray(content) ? asList(content) : [content]) {
    if (typeof item === 'string') texts.push(item);
    const part = asFields(item);
    if (!part || part.thought === true) continue;
    const text = asText(part.text);
    const call = asFields(part.functionCall);
    const response = asFields(part.functionResponse);
    if (text !== undefined) texts.push(text);
    if (call) calls.push(call);
    if (response) responses.push(response);
    images.push(...parseImage(asFields(part.inlineData)));
  }
  return { texts: texts.filter((text) => text !== ''), images, calls, responses };
}

function parseImage(data: Fields | undefined): readonly TranscriptImage[] {
  const base64 = asText(data?.data);
  const mediaType = asName(data?.mimeType);
  return base64 && mediaType?.startsWith('image/') ? [{ mediaType, base64 }] : [];
}

/** What the texts of a user's turn are. */
type UserText =
  | { readonly kind: 'typed'; readonly text: string }
  /** The summary that replaces what was compressed. */
  | { readonly kind: 'summary'; readonly text: string }
  | { readonly kind: 'command' | 'injected' };

const SUMMARY = '<state_snapshot>';
const SUMMARY_END = '</state_snapshot>';
/** How texts begin that Gemini CLI injects into the user's turn. */
const INJECTED_OPENINGS = [
  '<session_context>',
  '<hook_context>',
  '<loaded_context>',
  'This is the Gemini CLI. We are setting up the context',
  'I ran the following shell command:',
  'System: Please continue',
  'System: Potential loop detected',
];
const FILES_BEGIN = /^\s*---\s*Content from referenced files\s*---/;
const FILES_END = /^\s*---\s*End of content\s*---/;
/** `/clear`, `/git:commit fix`; not a path such as `/etc/hosts is wrong`. */
const COMMAND = /^(?:\/[a-z][\w:.-]*(?=\s|$)|\?$)/i;

/** Separates what the user typed from injected text: context of the session or of a hook, and referenced files. */
export function parseUserText(texts: readonly string[]): UserText {
  const summary = texts.find((text) => text.trimStart().startsWith(SUMMARY));
  if (summary !== undefined) return { kind: 'summary', text: extractSummary(summary) };
  const typed: string[] = [];
  let isInFiles = false;
  for (const text of texts) {
    if (FILES_BEGIN.test(text)) isInFiles = true;
    if (!isInFiles && !isInjected(text)) typed.push(text);
    if (FILES_END.test(text)) isInFiles = false;
  }
  const text = typed.join('\n').trim();
  if (text === '') return { kind: 'injected' };
  return COMMAND.test(text) ? { kind: 'command' } : { kind: 'typed', text };
}

function extractSummary(text: string): string {
  const end = text.lastIndexOf(SUMMARY_END);
  return text.slice(text.indexOf(SUMMARY) + SUMMARY.length, end < 0 ? text.length : end).trim();
}

function isInjected(text: string): boolean {
  const opening = text.slice(0, 200).trimStart();
  return INJECTED_OPENINGS.some((known) => opening.startsWith(known));
}
