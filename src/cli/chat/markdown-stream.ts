import { sanitise } from '../output/sanitise.ts';
import type { Style, Symbols } from '../output/terminal.ts';
import { displayWidth, wrap } from '../output/width.ts';

interface MarkdownLook {
  readonly style: Style;
  readonly symbols: Symbols;
  /** Called for each line, because the terminal may be resized during a reply. */
  readonly columns: () => number;
}

interface Rendered {
  /** Lines that are complete now, each with its line break. */
  readonly printed: string;
  /** The incomplete last line. */
  readonly partial: string;
}

/** Longer lines are printed in pieces. */
const MAX_LINE_LENGTH = 4000;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const LIST_ITEM = /^(\s*)([-*+]|\d{1,3}[.)])\s+/;

/** Renders streamed Markdown for the terminal. The text is untrusted and sanitised first. */
export class MarkdownStream {
  readonly #look: MarkdownLook;
  #line = '';
  /** The fence of the open code block; empty outside of code. */
  #fence = '';

  constructor(look: MarkdownLook) {
    this.#look = look;
  }

  /** Renders the next piece. */
  write(piece: string): Rendered {
    this.#line += piece;
    let printed = '';
    for (let end = this.#lineEnd(); end !== undefined; end = this.#lineEnd()) {
      const line = this.#line.slice(0, end).replace(/\r?\n$/, '');
      this.#line = this.#line.slice(end);
      printed += this.#complete(line);
    }
    return {
      printed,
      partial: this.#line === '' ? '' : this.#render(this.#line, this.#isFence(this.#line)).join('\n'),
    };
  }

  /** Ends the reply and renders its last line. */
  end(): Rendered {
    const line = this.#line;
    this.#line = '';
    const printed = line === '' ? '' : this.#complete(line);
    this.#fence = '';
    return { printed, partial: '' };
  }

  #lineEnd(): number | undefined {
    const lineBreak = this.#line.indexOf('\n');
    if (lineBreak !== -1) return lineBreak + 1;
    if (this.#line.length <= MAX_LINE_LENGTH) return undefined;
    const space = this.#line.lastIndexOf(' ', MAX_LINE_LENGTH);
    return space > 0 ? space + 1 : MAX_LINE_LENGTH;
  }

  #complete(line: string): string {
    const isFence = this.#isFence(line);
    const shown = this.#render(line, isFence);
    if (isFence) this.#fence = this.#fence === '' ? (FENCE.exec(line)?.[1] ?? '') : '';
    return shown.map((row) => `${row}\n`).join('');
  }

  /** Whether a line opens or closes a code block. */
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
    // Code is left for the terminal to wrap, so that it can be copied unchanged.
    if (this.#fence !== '') return [style.cyan(line)];
    if (line.startsWith('CMD: ')) return [style.bold(style.cyan(`$ ${line.slice(5)}`))];
    const heading = /^#{1,6}\s+(.*)$/.exec(line);
    if (heading) return wrap(style.bold(inlineMarkdown(heading[1] ?? '', style)), width);
    if (/^ {0,3}([-*_])(?:\s*\1){2,}\s*$/.test(line)) return [style.dim(symbols.separator.repeat(Math.min(width, 40)))];
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

/** Wraps a text beside a marker; `nextMarker` begins the following lines. */
function hang(
  marker: string,
  text: string,
  width: number,
  nextMarker = ' '.repeat(displayWidth(marker)),
): readonly string[] {
  const columns = Math.max(10, width - displayWidth(marker));
  return wrap(text, columns).map((row, index) => (index === 0 ? marker : nextMarker) + row);
}

/** `code`, **bold**, __bold__ and [text](address), if closed on the same line. */
const INLINE = /(`+)(.+?)\1(?!`)|\*\*(\S(?:.*?\S)?)\*\*|__(\S(?:.*?\S)?)__|\[([^\]\n]+)\]\(([^()\s]+)\)/g;

/** Renders the inline Markdown of a sanitised line. */
function inlineMarkdown(text: string, style: Style): string {
  return text.replace(
    INLINE,
    (
      whole: string,
      _ticks: string | undefined,
      code: string | undefined,
      strong: string | undefined,
      alsoStrong: string | undefined,
      label: string | undefined,
      address: string | undefined,
    ) => {
      if (code !== undefined) return style.cyan(code.trim() === '' ? code : code.replace(/^ (.*) $/, '$1'));
      const bold = strong ?? alsoStrong;
      if (bold !== undefined) return style.bold(bold);
      if (label === undefined || address === undefined) return whole;
      return label === address ? style.cyan(label) : `${label} (${style.cyan(address)})`;
    },
  );
}
