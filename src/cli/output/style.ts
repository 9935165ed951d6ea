/** Puts a look around a text, or returns it as it is where colour is off. */
export type Paint = (text: string) => string;

/** The looks the CLI uses. Only the 16 colours of the user's own theme, so that it reads on light and dark. */
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

/** The looks with colour on, or all of them plain. */
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
