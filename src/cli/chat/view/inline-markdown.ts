import type { Style } from '../../output/style.ts';

/** `code`, **bold**, __bold__, [text](address); what is not closed in its line is left as it is. */
const INLINE = /(`+)(.+?)\1(?!`)|\*\*(\S(?:.*?\S)?)\*\*|__(\S(?:.*?\S)?)__|\[([^\]\n]+)\]\(([^()\s]+)\)/g;

/** A line of Markdown with its inline marks turned into looks. The text is safe to print already. */
export function inlineMarkdown(text: string, style: Style): string {
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
