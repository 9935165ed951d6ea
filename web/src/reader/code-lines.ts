import { type ReadonlySignal, signal } from '@preact/signals';

/** A piece of a line of code, with the class that colours it. */
export interface CodePiece {
  readonly text: string;
  readonly className: string;
}

type Highlight = (code: string, language: string) => string | undefined;

const MAX_LENGTH = 40_000;
const loaded = signal<Highlight | undefined>(undefined);
let isLoading = false;

/** The highlighter, which is loaded when it is asked for the first time. */
export const highlighter: ReadonlySignal<Highlight | undefined> = loaded;

/** Loads the highlighter, unless it is loaded. */
export function loadHighlighter(): void {
  if (isLoading) return;
  isLoading = true;
  import('../text/highlighter.ts').then(
    ({ highlight }) => {
      loaded.value = highlight;
    },
    // Without the server there are no colours; the next code asks again.
    () => {
      isLoading = false;
    },
  );
}

/** Extensions and names of files that are not the name of their language. */
const LANGUAGES: Readonly<Record<string, string>> = {
  ...{ ts: 'typescript', tsx: 'typescript', mts: 'typescript', cts: 'typescript' },
  ...{ js: 'javascript', jsx: 'javascript', mjs: 'javascript', cjs: 'javascript' },
  ...{ py: 'python', rb: 'ruby', rs: 'rust', kt: 'kotlin', kts: 'kotlin', cs: 'csharp', md: 'markdown' },
  ...{ mdx: 'markdown', yml: 'yaml', sh: 'bash', zsh: 'bash', html: 'xml', vue: 'xml', svg: 'xml', svelte: 'xml' },
  ...{ toml: 'ini', cfg: 'ini', env: 'ini', h: 'c', cc: 'cpp', hpp: 'cpp', cxx: 'cpp', jsonc: 'json', json5: 'json' },
  ...{ scss: 'css', less: 'css', patch: 'diff', dockerfile: 'dockerfile', makefile: 'bash' },
};

/** The language of a file by its name. */
export function languageOf(path: string): string {
  const name = path.split('/').at(-1)?.toLowerCase() ?? '';
  const extension = name.split('.').at(-1) ?? '';
  return LANGUAGES[extension] ?? extension;
}

/** The lines of code in coloured pieces; undefined when the highlighter is not loaded or the language is unknown. */
export function codeLines(lines: readonly string[], language: string): readonly (readonly CodePiece[])[] | undefined {
  const code = lines.join('\n');
  const html = code.length > MAX_LENGTH ? undefined : loaded.value?.(code, language);
  if (html === undefined) return undefined;
  const template = document.createElement('template');
  template.innerHTML = html;
  const found: CodePiece[][] = [[]];
  collect(template.content, '', found);
  return found;
}

function collect(node: Node, className: string, lines: CodePiece[][]): void {
  for (const child of node.childNodes) {
    if (child instanceof Element) collect(child, child.className, lines);
    else {
      const [first = '', ...others] = (child.nodeValue ?? '').split('\n');
      lines.at(-1)?.push({ text: first, className });
      for (const text of others) lines.push([{ text, className }]);
    }
  }
}

/** Splits the pieces of a line at the spans that are marked. */
export function markPieces(
  pieces: readonly CodePiece[],
  marks: readonly (readonly [start: number, end: number])[],
): readonly (CodePiece & { readonly isMarked: boolean })[] {
  const cuts = marks.flat();
  let offset = 0;
  return pieces.flatMap(({ text, className }) => {
    const start = offset;
    offset += text.length;
    const inner = cuts.filter((cut) => cut > start && cut < offset);
    const bounds = [start, ...inner, offset];
    return bounds.slice(1).map((end, index) => {
      const from = bounds[index] ?? start;
      const isMarked = marks.some(([markStart, markEnd]) => from >= markStart && end <= markEnd && end > from);
      return { text: text.slice(from - start, end - start), className, isMarked };
    });
  });
}
