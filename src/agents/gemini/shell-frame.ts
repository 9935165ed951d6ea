/** What Gemini tells of a command that ran. */
export interface ShellFrame {
  readonly output: string;
  readonly exitCode?: number;
  /** It was ended by a signal, or could not be run. */
  readonly isBroken?: boolean;
}

/** Where the lines about the end of a command are looked for, in characters. */
const TAIL = 4000;
const FIELD = /^(Error|Exit Code|Signal|Background PIDs|Process Group PGID): ([^\n]*)$/;
const START = /^(?:Command: [\s\S]{0,20000}?\nDirectory: [^\n]{0,5000}\n)?(?:Output|Stdout): /;

/**
 * Takes the frame off that Gemini puts around a command's output: `Output: …` and, below it, lines such as
 * `Exit Code: 1`, which newer versions leave out when it is 0. Undefined for a text without the frame.
 */
export function shellFrame(text: string): ShellFrame | undefined {
  const start = START.exec(text)?.[0].length;
  if (start === undefined) return undefined;
  const { fields, end } = lastFields(text);
  // `Error:` alone may as well be the command's own.
  if (!fields.has('Exit Code') && !fields.has('Process Group PGID')) return undefined;
  const body = text.slice(start, Math.max(start, end)).trimEnd();
  const code = fields.get('Exit Code');
  const error = told(fields.get('Error'));
  const signal = told(fields.get('Signal'));
  const exitCode = Number.parseInt(code ?? (error || signal ? '' : '0'), 10);
  const isBroken = Number.isNaN(exitCode) || error !== undefined;
  return {
    output: [withoutEmpty(body), error].filter((part) => part).join('\n'),
    ...(Number.isNaN(exitCode) ? {} : { exitCode }),
    ...(isBroken ? { isBroken } : {}),
  };
}

/** The fields in the last lines, and where their first one begins. */
function lastFields(text: string): { readonly fields: ReadonlyMap<string, string>; readonly end: number } {
  const fields = new Map<string, string>();
  let end = text.length;
  const from = Math.max(0, text.length - TAIL);
  while (end > from) {
    const start = text.lastIndexOf('\n', end - 1) + 1;
    const field = FIELD.exec(text.slice(start, end));
    if (!field || start < from || fields.has(field[1] ?? '')) break;
    fields.set(field[1] ?? '', field[2] ?? '');
    end = start - 1;
  }
  return { fields, end };
}

function told(value: string | undefined): string | undefined {
  return value === undefined || value === '(none)' || value === '0' || value === '' ? undefined : value;
}

/** An output that Gemini calls empty is empty. */
function withoutEmpty(body: string): string {
  if (body === '(empty)') return '';
  return body.replace(/^\(empty\)\nStderr: /, '').replace(/\nStderr: (?:\(empty\))?$/, '');
}
