import { sanitise } from '../../output/sanitise.ts';
import type { Style } from '../../output/style.ts';
import type { Symbols } from '../../output/symbols.ts';
import { displayWidth, wrap } from '../../output/width.ts';
import { inlineMarkdown } from './inline-markdown.ts';

/** How a reply looks. */
export interface MarkdownLook {
  readonly style: Style;
  readonly symbols: Symbols;
  /** Asked anew for each line: a terminal may change its width while a reply comes. */
  readonly columns: () => number;
}

/** What a piece of a reply adds to the terminal. */
export interface Rendered {
  /** Whole lines, each with its line break; empty when none became whole. */
  readonly printed: string;
  /** The line that is not whole yet, as it looks so far. */
  readonly partial: string;
}

/** A line that goes on for longer is shown in pieces. */
const LONGEST_LINE = 4000;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const LIST_ITEM = /^(\s*)([-*+]|\d{1,3}[.)])\s+/;

/** Turns Markdown that comes in pieces into lines for the terminal. The text may come from anywhere: it is made safe first. */
export class MarkdownStream {
  readonly #look: MarkdownLook;
  #line = '';
  /** The fence that opened the code being shown. */
  #fence = '';

  constructor(look: MarkdownLook) {
    this.#look = look;
  }

  /** Takes the next piece. */
  write(piece: string): Rendered {
    this.#line += piece;
    let printed = '';
    for (let end = this.#lineEnd(); end !== undefined; end = this.#lineEnd()) {
      const line = this.#line.slice(0, end).replace(/\r?\n$/, '');
      this.#line = this.#line.slice(end);
      printed += this.#whole(line);
    }
    return {
      printed,
      partial: this.#line === '' ? '' : this.#render(this.#line, this.#isFence(this.#line)).join('\n'),
    };
  }

  /** Ends the reply: what was not whole is taken as it is. */
  end(): Rendered {
    const line = this.#line;
    this.#line = '';
    const printed = line === '' ? '' : this.#whole(line);
    this.#fence = '';
    return { printed, partial: '' };
  }

  #lineEnd(): number | undefined {
    const lineBreak = this.#line.indexOf('\n');
    if (lineBreak !== -1) return lineBreak + 1;
    if (this.#line.length <= LONGEST_LINE) return undefined;
    const space = this.#line.lastIndexOf(' ', LONGEST_LINE);
    return space > 0 ? space + 1 : LONGEST_LINE;
  }

  #whole(line: string): string {
    const isFence = this.#isFence(line);
    const shown = this.#render(line, isFence);
    if (isFence) this.#fence = this.#fence === '' ? (FENCE.exec(line)?.[1] ?? '') : '';
    return shown.map((row) => `${row}\n`).join('');
  }

  /** Opens code, or closes the one that is open. */
  #isFence(line: string): boolean {
    const fence = FENCE.exec(line)?.[1];
    if (fence === undefined) return false;
    if (this.#fence === '') return true;
    return fence.startsWith(this.#fence) && line.trim() === fence;
  }

  #render(source: string, isFence: boolean): readonly string[] {
    const { style, symbols, columns } = this.#look;
    const width = Math.max(10, columns() - 1);
    const line = sanitise(source);
    if (isFence) return [style.dim(line.trim())];
    // Code is broken where the terminal ends, so that it can be copied as it is.
    if (this.#fence !== '') return [style.cyan(line)];
    if (line.startsWith('CMD: ')) return [style.bold(style.cyan(`$ ${line.slice(5)}`))];
    const heading = /^#{1,6}\s+(.*)$/.exec(line);
    if (heading) return wrap(style.bold(inlineMarkdown(heading[1] ?? '', style)), width);
    if (/^ {0,3}([-*_])(?:\s*\1){2,}\s*$/.test(line))
      return [style.dim(symbols.separator.repeat(Math.min(width, 40)))];
    const quote = /^ {0,3}> ?(.*)$/.exec(line);
    if (quote) return hang(style.dim('| '), inlineMarkdown(quote[1] ?? '', style), width, style.dim('| '));
    const item = LIST_ITEM.exec(line);
    if (item) return listItem(item, line, this.#look, width);
    return wrap(inlineMarkdown(line, style), width);
  }
}

function listItem(
  item: RegExpExecArray,
  line: string,
  { style, symbols }: MarkdownLook,
  width: number,
): readonly string[] {
  const [whole, indent = '', sign = ''] = item;
  const bullet = /\d/.test(sign) ? sign : symbols.separator;
  return hang(`${indent}${bullet} `, inlineMarkdown(line.slice(whole.length), style), width);
}

/** A text that is broken beside what stands before it. */
function hang(before: string, text: string, width: number, again?: string): readonly string[] {
  const room = Math.max(10, width - displayWidth(before));
  const next = again ?? ' '.repeat(displayWidth(before));
  return wrap(text, room).map((row, index) => (index === 0 ? before : next) + row);
}
