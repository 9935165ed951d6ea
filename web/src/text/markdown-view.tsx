import type { VNode } from 'preact';
import { memo } from 'preact/compat';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { cleanText } from './clean-text.ts';
import { colourCode, decorateCode } from './code-blocks.ts';
import { GrowingBlocks } from './growing-blocks.ts';
import { safeHtml } from './markdown.ts';
import { isReadable } from './markdown-limits.ts';

/** Longer texts are cut until somebody asks for the rest. */
const SHOWN_FIRST = 8_000;
/** A piece that grows beyond this is drawn as plain text until it has ended: parsing it each time would be slow. */
const LONGEST_GROWING = 4_000;
const FENCE_LINE = /^\s{0,3}(?:`{3,}|~{3,})[^\n]*\n/;

/** A text of a message: Markdown where it can be, plain where it is too long for that. */
export function MarkdownView({ text }: { readonly text: string }): VNode {
  return isReadable(text) ? <MarkdownBlock text={text} /> : <PlainText text={text} />;
}

/** A reply, while it is made and after: what has been drawn of it is not drawn again. */
export function ReplyText({
  text,
  isGrowing,
}: {
  readonly text: string;
  readonly isGrowing: boolean;
}): VNode {
  const blocks = useMemo(() => new GrowingBlocks(), []);
  if (!isGrowing && isReadable(text)) return <MarkdownBlock text={text} />;
  const parts = blocks.of(text);
  return (
    <>
      {parts.map((part, index) =>
        isGrowing && index === parts.length - 1 ? (
          <GrowingBlock key={index} text={part} />
        ) : (
          <EndedBlock key={index} text={part} />
        ),
      )}
    </>
  );
}

const EndedBlock = memo(function Ended({ text }: { readonly text: string }): VNode {
  return <MarkdownView text={text} />;
});

/** The piece at the end of a reply: it changes with each frame, so there is nothing to click in it. */
function GrowingBlock({ text }: { readonly text: string }): VNode {
  const element = useRef<HTMLDivElement>(null);
  const isShort = text.length <= LONGEST_GROWING && isReadable(text);
  const html = useMemo(() => (isShort ? safeHtml(text) : ''), [text, isShort]);
  useLayoutEffect(() => {
    if (element.current !== null) void colourCode(element.current);
  }, [html]);
  if (!isShort && FENCE_LINE.test(text)) {
    return (
      <div class="markdown">
        <pre tabIndex={0}>
          <code>{cleanText(text.replace(FENCE_LINE, ''))}</code>
        </pre>
      </div>
    );
  }
  if (!isShort) return <pre class="plain">{cleanText(text)}</pre>;
  return <div class="markdown" dir="auto" ref={element} dangerouslySetInnerHTML={{ __html: html }} />;
}

const MarkdownBlock = memo(function Block({ text }: { readonly text: string }): VNode {
  const element = useRef<HTMLDivElement>(null);
  const html = useMemo(() => safeHtml(text), [text]);
  useLayoutEffect(() => {
    if (element.current !== null) void decorateCode(element.current);
  }, [html]);
  return <div class="markdown" dir="auto" ref={element} dangerouslySetInnerHTML={{ __html: html }} />;
});

function PlainText({ text }: { readonly text: string }): VNode {
  const [isWhole, setWhole] = useState(false);
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
