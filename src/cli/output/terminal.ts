/** What decides how output looks. Passed in, so that it can be decided without a terminal. */
export interface TerminalFacts {
  readonly isTerminal: boolean;
  readonly columns: number | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** `--no-color` was given. */
  readonly noColour: boolean;
}

/** How to print to one stream. */
export interface Terminal {
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly colour: boolean;
  readonly unicode: boolean;
}

/** Columns when the output goes to a file or a pipe and `COLUMNS` is not set. */
const PIPED_COLUMNS = 100;
const FEWEST_COLUMNS = 20;

/** Decides width, colour and character set of a stream. */
export function detectTerminal(facts: TerminalFacts): Terminal {
  return {
    isTerminal: facts.isTerminal,
    columns: detectColumns(facts),
    colour: detectColour(facts),
    unicode: detectUnicode(facts.env, facts.platform),
  };
}

function detectColumns({ isTerminal, columns, env }: TerminalFacts): number {
  if (isTerminal && columns !== undefined && columns > 0) return Math.max(columns, FEWEST_COLUMNS);
  const given = Number(env.COLUMNS);
  if (Number.isInteger(given) && given > 0) return Math.max(given, FEWEST_COLUMNS);
  return isTerminal ? 80 : PIPED_COLUMNS;
}

/** A flag beats `FORCE_COLOR`, which beats `NO_COLOR`, as in Node itself; otherwise colour is for terminals. */
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
