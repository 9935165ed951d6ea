import type { VNode } from 'preact';
import { memo } from 'preact/compat';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { copyText } from '../shell/notices.ts';
import { cleanText } from './format.ts';
import { safeHtml } from './markdown.ts';
import { isSafeMarkdown, StreamedBlocks } from './markdown-blocks.ts';

/** Longer plain texts are truncated until the user asks for the rest. */
const MAX_INITIAL_LENGTH = 8_000;
/** A longer block is rendered as plain text while it grows: parsing it again for each frame would be slow. */
const MAX_GROWING_LENGTH = 4_000;
const MAX_HIGHLIGHTED_LENGTH = 20_000;
const COPIED_MS = 1_500;
const FENCE_LINE = /^\s{0,3}(?:`{3}|~{3})[^\n]*\n/;

/** The text of a message: Markdown, or plain text when it is too long for that. */
export function MarkdownView({ text }: { readonly text: string }): VNode {
  return isSafeMarkdown(text) ? <MarkdownBlock text={text} /> : <PlainText text={text} />;
}

/** A reply while it is streamed and after. Blocks that are complete are not rendered again. */
export function StreamedMarkdown({ text, isGrowing }: { readonly text: string; readonly isGrowing: boolean }): VNode {
  const blocks = useMemo(() => new StreamedBlocks(), []);
  if (!isGrowing && isSafeMarkdown(text)) return <MarkdownBlock text={text} />;
  const parts = blocks.split(text);
  return (
    <>
      {parts.map((part, index) =>
        isGrowing && index === parts.length - 1 ? (
          <GrowingBlock key={index} text={part} />
        ) : (
          <CompleteBlock key={index} text={part} />
        ),
      )}
    </>
  );
}

const CompleteBlock = memo(function Complete({ text }: { readonly text: string }): VNode {
  return <MarkdownView text={text} />;
});

/** The last block of a reply. It changes with each frame, so it has no buttons. */
function GrowingBlock({ text }: { readonly text: string }): VNode {
  const element = useRef<HTMLDivElement>(null);
  const isShort = text.length <= MAX_GROWING_LENGTH && isSafeMarkdown(text);
  const html = useMemo(() => (isShort ? safeHtml(text) : ''), [text, isShort]);
  useLayoutEffect(() => {
    if (element.current !== null) void highlightCode(element.current);
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
    if (element.current === null) return;
    for (const block of element.current.querySelectorAll('pre')) addCopyButton(block);
    void highlightCode(element.current);
  }, [html]);
  return <div class="markdown" dir="auto" ref={element} dangerouslySetInnerHTML={{ __html: html }} />;
});

function PlainText({ text }: { readonly text: string }): VNode {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? text : text.slice(0, MAX_INITIAL_LENGTH);
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

/** Highlights code blocks. The highlighter is loaded with the first one. */
async function highlightCode(element: HTMLElement): Promise<void> {
  const blocks = [...element.querySelectorAll<HTMLElement>('pre > code[class^="language-"]')];
  if (blocks.length === 0) return;
  // Without the server there are no colours.
  const { highlight } = await import('./highlighter.ts').catch(() => ({ highlight: undefined }));
  if (highlight === undefined) return;
  for (const block of blocks) {
    const code = block.textContent ?? '';
    if (code.length > MAX_HIGHLIGHTED_LENGTH) continue;
    const html = highlight(code, codeLanguage(block));
    if (html !== undefined) block.innerHTML = html;
  }
}

/** Puts a code block into a frame with its language and a copy button, and lets the keyboard scroll it. */
function addCopyButton(block: HTMLElement): void {
  block.tabIndex = 0;
  const frame = document.createElement('div');
  frame.className = 'code';
  const head = document.createElement('div');
  head.className = 'code-head';
  const code = block.querySelector('code');
  const language = document.createElement('span');
  language.textContent = code === null ? '' : codeLanguage(code);
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'quiet';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', 'Copy code');
  button.addEventListener('click', () => void copyCode(block, button));
  head.append(language, button);
  block.replaceWith(frame);
  frame.append(head, block);
}

async function copyCode(block: HTMLElement, button: HTMLButtonElement): Promise<void> {
  if (!(await copyText((block.textContent ?? '').replace(/\n$/, '')))) return;
  button.textContent = 'Copied';
  setTimeout(() => {
    button.textContent = 'Copy';
  }, COPIED_MS);
}

function codeLanguage(code: Element): string {
  return code.className.startsWith('language-') ? code.className.slice('language-'.length) : '';
}
