import DOMPurify from 'dompurify';
import { Marked } from 'marked';
import { cleanText } from './format.ts';

const TAGS = 'p br hr h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong del a table thead tbody tr th td'.split(
  ' ',
);

const marked = new Marked({
  gfm: true,
  breaks: true,
  renderer: {
    // HTML in the text is shown as text.
    html: ({ text }) => escapeHtml(text),
    // Images are not loaded: they become links.
    image: ({ href, text }) => `<a href="${escapeHtml(href)}">${escapeHtml(text === '' ? href : text)}</a>`,
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  },
});

/** Markdown as safe HTML: no scripts, handlers, styles, images or forms, and only links to the web. */
export function safeHtml(markdown: string): string {
  const html = parse(cleanText(markdown));
  return DOMPurify.sanitize(html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ['href', 'class', 'start', 'target', 'rel'],
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:)/i,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  });
}

/** Text that cannot be parsed as Markdown is shown as it is. */
function parse(markdown: string): string {
  try {
    return marked.parse(markdown, { async: false });
  } catch {
    return `<pre>${escapeHtml(markdown)}</pre>`;
  }
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName === 'A') {
    node.setAttribute('target', '_blank');
    node.setAttribute('rel', 'noopener noreferrer');
  }
  const name = node.getAttribute('class');
  if (name !== null && !/^language-[\w+#-]{1,30}$/.test(name)) node.removeAttribute('class');
});
