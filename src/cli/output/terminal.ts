/** What the look of a stream is decided from; passed in, so that tests need no terminal. */
export interface TerminalFacts {
  readonly isTerminal: boolean;
  readonly columns: number | undefined;
  readonly rows: number | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** `--no-color` was given. */
  readonly noColour: boolean;
}

/** How one stream is printed to. */
export interface Terminal {
  readonly isTerminal: boolean;
  /** Infinite for files and pipes, unless `COLUMNS` is set. */
  readonly columns: number;
  /** Infinite for files and pipes. */
  readonly rows: number;
  readonly colour: boolean;
  readonly unicode: boolean;
}

const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;
const MIN_COLUMNS = 20;

/** Decides the width, colour and character set of a stream. */
export function detectTerminal(facts: TerminalFacts): Terminal {
  return {
    isTerminal: facts.isTerminal,
    columns: detectColumns(facts),
    rows: facts.isTerminal ? facts.rows || DEFAULT_ROWS : Number.POSITIVE_INFINITY,
    colour: detectColour(facts),
    unicode: detectUnicode(facts.env, facts.platform),
  };
}

function detectColumns({ isTerminal, columns, env }: TerminalFacts): number {
  if (isTerminal && columns !== undefined && columns > 0) return Math.max(columns, MIN_COLUMNS);
  const given = Number(env.COLUMNS);
  if (Number.isInteger(given) && given > 0) return Math.max(given, MIN_COLUMNS);
  return isTerminal ? DEFAULT_COLUMNS : Number.POSITIVE_INFINITY;
}

/** `--no-color` beats `FORCE_COLOR`, which beats `NO_COLOR`, as in Node itself; otherwise only terminals get colour. */
function detectColour({ noColour, env, isTerminal }: TerminalFacts): boolean {
  if (noColour) return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false;
  return isTerminal && env.TERM !== 'dumb';
}

function detectUnicode(env: TerminalFacts['env'], platform: NodeJS.Platform): boolean {
  if (platform === 'win32') return env.WT_SESSION !== undefined || env.TERM_PROGRAM !== undefined;
  if (env.TERM === 'linux') return false;
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || '';
  return /utf-?8/i.test(locale);
}

/** Adds a colour or weight to a text; returns it unchanged if colour is off. */
export type Paint = (text: string) => string;

/** The colours and weights in use. Only the theme's own 16 colours, so that text is readable on light and dark. */
export interface Style {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly cyan: Paint;
  /** A match inside a snippet. */
  readonly mark: Paint;
}

/** The style with colour on or off. */
export function createStyle(colour: boolean): Style {
  const paint = (open: string, close: string): Paint =>
    colour ? (text) => (text === '' ? '' : `\x1b[${open}m${text}\x1b[${close}m`) : (text) => text;
  return {
    bold: paint('1', '22'),
    dim: paint('2', '22'),
    red: paint('31', '39'),
    green: paint('32', '39'),
    yellow: paint('33', '39'),
    cyan: paint('36', '39'),
    mark: paint('1;33', '22;39'),
  };
}

/** Each sign for UTF-8 terminals, and for all others. */
const SIGNS = {
  success: ['✓', '+'],
  failure: ['✗', 'x'],
  /** Neither success nor failure: rejected, denied, interrupted, cancelled, no match. */
  neutral: ['○', 'o'],
  warning: ['⚠', '!'],
  commit: ['●', '*'],
  separator: ['·', '-'],
  ellipsis: ['…', '...'],
  arrow: ['→', '->'],
  pointer: ['›', '>'],
  lineBreak: ['↵', '\\n'],
  barFull: ['█', '#'],
  barEmpty: ['░', '.'],
  /** The part of a bar that failed. */
  barFailed: ['▒', 'x'],
} as const;

/** The signs that are printed beside words. */
export type Symbols = Readonly<Record<keyof typeof SIGNS, string>>;

/** The signs for a UTF-8 terminal, or ASCII signs for any other. */
export function createSymbols(unicode: boolean): Symbols {
  const chosen = Object.entries(SIGNS).map(([name, [sign, ascii]]) => [name, unicode ? sign : ascii]);
  return Object.fromEntries(chosen) as Symbols;
}
