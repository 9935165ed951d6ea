/** The signs the CLI prints beside words. */
export interface Symbols {
  readonly success: string;
  readonly failure: string;
  /** An attempt that neither failed nor succeeded: rejected, denied, interrupted, cancelled, no match. */
  readonly neutral: string;
  readonly warning: string;
  readonly commit: string;
  readonly separator: string;
  readonly ellipsis: string;
  readonly arrow: string;
  readonly pointer: string;
  readonly lineBreak: string;
  readonly barFull: string;
  readonly barEmpty: string;
  /** The part of a bar that failed. */
  readonly barFailed: string;
}

const UNICODE: Symbols = {
  success: '✓',
  failure: '✗',
  neutral: '○',
  warning: '⚠',
  commit: '●',
  separator: '·',
  ellipsis: '…',
  arrow: '→',
  pointer: '›',
  lineBreak: '↵',
  barFull: '█',
  barEmpty: '░',
  barFailed: '▒',
};

const ASCII: Symbols = {
  success: '+',
  failure: 'x',
  neutral: 'o',
  warning: '!',
  commit: '*',
  separator: '-',
  ellipsis: '...',
  arrow: '->',
  pointer: '>',
  lineBreak: '\\n',
  barFull: '#',
  barEmpty: '.',
  barFailed: 'x',
};

/** The signs for a UTF-8 terminal, or those that any terminal can show. */
export function createSymbols(unicode: boolean): Symbols {
  return unicode ? UNICODE : ASCII;
}
