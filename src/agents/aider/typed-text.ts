/** What a person typed at aider's prompt. */
export type TypedText =
  | { readonly type: 'words'; readonly text: string }
  /** A command of the shell: `/run`, `/test`, `/git` or `!`. */
  | { readonly type: 'command'; readonly command: string; readonly isTest: boolean }
  /** Something that steers aider and says nothing to the model. */
  | { readonly type: 'control' };

const SLASH_COMMAND = /^\/([a-z-]+)(?:\s+([\s\S]*))?$/;
/** Commands whose text goes to the model. */
const SPEAKING: ReadonlySet<string> = new Set(['architect', 'ask', 'chat', 'code', 'context', 'help']);

/** Tells words from commands. */
export function typedText(text: string): TypedText {
  if (text === '' || text === '<blank>') return { type: 'control' };
  if (text.startsWith('!')) return shell(text.slice(1), false);
  const found = SLASH_COMMAND.exec(text);
  if (!found) return { type: 'words', text };
  const [, name = '', rest = ''] = found;
  if (name === 'run' || name === 'test') return shell(rest, name === 'test');
  if (name === 'git') return shell(rest === '' ? '' : `git ${rest}`, false);
  if (SPEAKING.has(name) && rest.trim() !== '') return { type: 'words', text: rest.trim() };
  return { type: 'control' };
}

function shell(command: string, isTest: boolean): TypedText {
  const trimmed = command.trim();
  return trimmed === '' ? { type: 'control' } : { type: 'command', command: trimmed, isTest };
}
