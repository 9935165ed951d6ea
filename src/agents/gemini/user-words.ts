/** What is in the texts of a user's turn. */
export type UserWords =
  | { readonly kind: 'typed'; readonly text: string }
  /** The summary that takes the place of what was compressed. */
  | { readonly kind: 'summary'; readonly text: string }
  | { readonly kind: 'command' | 'injected' };

const SUMMARY = '<state_snapshot>';
const SUMMARY_END = '</state_snapshot>';
/** How parts begin that Gemini CLI puts into the user's turn. */
const INJECTED = [
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

/** Tells what the user typed from what was put beside it: the session's context, a hook's, the files that were named. */
export function userWords(texts: readonly string[]): UserWords {
  const summary = texts.find((text) => text.trimStart().startsWith(SUMMARY));
  if (summary !== undefined) return { kind: 'summary', text: summarised(summary) };
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

function summarised(text: string): string {
  const end = text.lastIndexOf(SUMMARY_END);
  return text.slice(text.indexOf(SUMMARY) + SUMMARY.length, end < 0 ? text.length : end).trim();
}

function isInjected(text: string): boolean {
  const opening = text.slice(0, 200).trimStart();
  return INJECTED.some((known) => opening.startsWith(known));
}
