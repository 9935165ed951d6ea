import DOMPurify from 'dompurify';
import { Marked } from 'marked';
import { cleanText } from './clean-text.ts';

const TAGS = [
  ...[
    'p',
    'br',
    'hr',
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'ul',
    'ol',
    'li',
    'blockquote',
    'pre',
    'code',
    'em',
  ],
  ...['strong', 'del', 'a', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
];

const marked = new Marked({
  gfm: true,
  breaks: true,
  renderer: {
    // Tags that somebody wrote are text like any other.
    html: ({ text }) => escaped(text),
    // Nothing is fetched: an image is a link to where it is.
    image: ({ href, text }) => `<a href="${escaped(href)}">${escaped(text === '' ? href : text)}</a>`,
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  },
});

/** Markdown as HTML that can do nothing but be read: no scripts, handlers, styles, images or forms; links to the web only. */
export function safeHtml(markdown: string): string {
  const html = htmlOf(cleanText(markdown));
  return DOMPurify.sanitize(html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ['href', 'class', 'start', 'target', 'rel'],
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:)/i,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  });
}

/** What cannot be read as Markdown is shown as it was written. */
function htmlOf(markdown: string): string {
  try {
    return marked.parse(markdown, { async: false });
  } catch {
    return `<pre>${escaped(markdown)}</pre>`;
  }
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName === 'A') {
    node.setAttribute('target', '_blank');
    node.setAttribute('rel', 'noopener noreferrer');
  }
  const name = node.getAttribute('class');
  if (name !== null && !/^language-[\w+#-]{1,30}$/.test(name)) node.removeAttribute('class');
});
