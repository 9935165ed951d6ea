import type { VNode } from 'preact';
import { memo } from 'preact/compat';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { cleanText } from './clean-text.ts';
import { safeHtml } from './markdown.ts';
import { growingBlocks, isReadable } from './markdown-limits.ts';

/** Longer texts are cut until somebody asks for the rest. */
const SHOWN_FIRST = 8_000;
const LONGEST_HIGHLIGHTED = 20_000;

/** A text of a message: Markdown where it can be, plain where it is too long for that. */
export function MarkdownView({ text }: { readonly text: string }): VNode {
  const [isWhole, setWhole] = useState(false);
  if (isReadable(text)) return <MarkdownBlock text={text} />;
  const shown = isWhole ? text : text.slice(0, SHOWN_FIRST);
  return (
    <div>
      <pre class="plain">{cleanText(shown)}</pre>
      {isWhole ? null : (
        <button type="button" class="quiet" onClick={() => setWhole(true)}>
          Show all {text.length.toLocaleString()} characters
        </button>
      )}
    </div>
  );
}

/** A reply that is still being made. */
export function GrowingMarkdown({ text }: { readonly text: string }): VNode {
  return (
    <>
      {growingBlocks(text).map((block, index) => (
        <MarkdownBlock
          key={index}
          text={block.length > LONGEST_HIGHLIGHTED ? `${block.slice(0, LONGEST_HIGHLIGHTED)}…` : block}
        />
      ))}
    </>
  );
}

const MarkdownBlock = memo(function Block({ text }: { readonly text: string }): VNode {
  const element = useRef<HTMLDivElement>(null);
  const html = useMemo(() => safeHtml(text), [text]);
  useLayoutEffect(() => {
    if (element.current !== null) void decorate(element.current);
  }, [html]);
  return <div class="markdown" dir="auto" ref={element} dangerouslySetInnerHTML={{ __html: html }} />;
});

/** Colours the code; what does that is fetched when there is code to colour. */
async function decorate(element: HTMLElement): Promise<void> {
  const blocks = [...element.querySelectorAll<HTMLElement>('pre > code[class^="language-"]')];
  for (const block of element.querySelectorAll('pre')) block.tabIndex = 0;
  if (blocks.length === 0) return;
  const { highlighted } = await import('./highlighter.ts');
  for (const block of blocks) {
    const code = block.textContent ?? '';
    if (code.length > LONGEST_HIGHLIGHTED) continue;
    const html = highlighted(code, block.className.slice('language-'.length));
    if (html !== undefined) block.innerHTML = html;
  }
}
