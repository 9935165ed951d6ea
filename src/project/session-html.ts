import type { FileChange } from '../facts/call/file-changes.ts';
import type { Message } from '../record/index.ts';
import { type DiffLine, markWords } from '../text/line-diff.ts';
import { sanitise, sanitiseLine } from '../text/sanitise.ts';
import {
  callOutput,
  callTitle,
  describeSession,
  editWord,
  fileEdits,
  OUTCOME_WORDS,
  speakerOf,
} from './export-session.ts';
import type { Project, SessionView } from './project.ts';
import { buildSessionRows, callsOf, type ReaderRow, type SessionCall } from './session-rows.ts';

const STYLE = `:root{color-scheme:light dark}body{max-width:960px;margin:0 auto;padding:24px;font:14px/1.5 system-ui,sans-serif;
background:light-dark(#fff,#131417);color:light-dark(#1a1b1f,#e6e7ea)}h1{font-size:20px}section+section{margin-top:64px}
dl{display:flex;flex-wrap:wrap;gap:4px 16px;color:light-dark(#5a5f69,#a0a5af);font-size:12px}dt{float:left;margin-right:4px}dd{margin:0}
article{margin:12px 0}.prompt{padding:8px 16px;border-left:3px solid light-dark(#4349cf,#a3a8ff);background:light-dark(#f7f7f8,#18191d);font-size:16px}
header,time,.quiet{color:light-dark(#5a5f69,#a0a5af);font-size:12px}.text{white-space:pre-wrap;overflow-wrap:anywhere;max-width:75ch}
pre,code{font:12px/1.6 ui-monospace,Menlo,Consolas,monospace;tab-size:4}pre{overflow:auto;margin:8px 0;padding:8px 12px;border:1px solid light-dark(#e3e4e8,#2b2e35);border-radius:6px}
summary{cursor:pointer;overflow-wrap:anywhere}.failure>summary b{color:light-dark(#b3261e,#f28b82)}.success>summary b{color:light-dark(#1a6b3c,#7fce9e)}
.diff{padding:0}.diff span{display:block;padding:0 12px;width:max-content;min-width:100%;box-sizing:border-box}
ins,del{text-decoration:none}.add{background:light-dark(#e6f3eb,#1c3126)}.add ins{background:light-dark(#b5dfc6,#2c5a41)}
.cut{background:light-dark(#fbeceb,#372120)}.cut del{background:light-dark(#f3c1bd,#65332f)}img{max-width:100%;border-radius:6px}`;

/** The beginning of a document that needs nothing else: no script, no style sheet, no image from elsewhere. */
export function htmlStart(title: string): string {
  const policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(sanitiseLine(title))}</title>
<style>${STYLE}</style></head><body>
`;
}

/** The end of that document. */
export const HTML_END = '</body></html>\n';

/** A session as a part of an HTML document, with its images, diffs, and tool calls that open. */
export function exportHtml(project: Project, view: SessionView): string {
  const facts = describeSession(project, view).map(
    ([name, value]) => `<div><dt>${name}</dt><dd>${escapeHtml(value)}</dd></div>`,
  );
  const rows = buildSessionRows(view).map((row) => rowHtml(row, project));
  const title = escapeHtml(sanitiseLine(view.summary.title) || 'Session');
  return `<section>\n<h1>${title}</h1>\n<dl>${facts.join('')}</dl>\n${rows.join('\n')}\n</section>\n`;
}

function rowHtml(row: ReaderRow, project: Project): string {
  if (row.type === 'call') return callHtml(row.call);
  if (row.type === 'lookups') {
    const counts = [`Reads: ${row.reads}`, `Searches: ${row.searches}`].filter((text) => !text.endsWith(' 0'));
    return `<details class="quiet"><summary>${counts.join(', ')}</summary>${callsOf(row).map(callHtml).join('')}</details>`;
  }
  const { message, type } = row;
  if (type === 'notice') {
    return `<details class="quiet"><summary>Notice</summary>${textHtml(message.content)}</details>`;
  }
  const head = `<header>${speakerOf(message)} <time>${message.timestamp}</time></header>`;
  const images = project.history
    .readImages(message)
    .map((uri) => `<img alt="Attached image" src="${escapeHtml(uri)}">`);
  const body = `${head}${textHtml(message.content)}${images.join('')}${editsHtml(message)}`;
  return `<article class="${type}">${body}</article>`;
}

function editsHtml(message: Message): string {
  return fileEdits(message)
    .map((edit) => {
      const summary = `<summary>${escapeHtml(editWord(edit))} <code>${escapeHtml(sanitiseLine(edit.path))}</code></summary>`;
      const diff = edit.diff === undefined ? '' : `<pre>${escapeHtml(sanitise(edit.diff))}</pre>`;
      return `<details>${summary}${diff}</details>`;
    })
    .join('');
}

function callHtml(call: SessionCall): string {
  const { attempt, changes } = call;
  const output = callOutput(call);
  const isLong = call.label.includes('\n');
  const input = isLong ? `<pre>${escapeHtml(sanitise(call.label))}</pre>` : '';
  const parts = [input, ...changes.map(changeHtml), output === '' ? '' : `<pre>${escapeHtml(output)}</pre>`];
  const word = OUTCOME_WORDS[attempt.outcome];
  const summary = `<summary><b>${word}</b> <code>${escapeHtml(callTitle(call))}</code> <time>${attempt.timestamp}</time></summary>`;
  return `<details class="${attempt.outcome}"${changes.length > 0 ? ' open' : ''}>${summary}${parts.join('')}</details>`;
}

function changeHtml(change: FileChange): string {
  const { path, added, removed, hunks } = markWords(change);
  const lines = hunks.map((hunk) => hunk.lines.map(lineHtml).join('')).join('<span>⋯</span>');
  const head = `<p class="quiet"><code>${escapeHtml(sanitiseLine(path))}</code> +${added} −${removed}</p>`;
  return lines === '' ? head : `${head}<pre class="diff">${lines}</pre>`;
}

function lineHtml({ sign, text, marks = [] }: DiffLine): string {
  const [className, tag] = sign === '+' ? ['add', 'ins'] : sign === '-' ? ['cut', 'del'] : ['', ''];
  let [html, done] = ['', 0];
  for (const [start, end] of tag === '' ? [] : marks) {
    html += `${escapeText(text.slice(done, start))}<${tag}>${escapeText(text.slice(start, end))}</${tag}>`;
    done = end;
  }
  return `<span class="${className}">${sign} ${html}${escapeText(text.slice(done))}</span>`;
}

const FENCE = /^ {0,3}```[^\n]*\n([\s\S]*?)^ {0,3}```[ \t]*$/m;

/** A message as text; code blocks are set apart. */
function textHtml(text: string): string {
  const parts = sanitise(text).split(new RegExp(FENCE, 'gm'));
  return parts
    .map((part, index) =>
      index % 2 === 1
        ? `<pre>${escapeHtml(part)}</pre>`
        : part.trim() === ''
          ? ''
          : `<div class="text">${escapeHtml(part.trim())}</div>`,
    )
    .join('');
}

function escapeText(text: string): string {
  return escapeHtml(sanitise(text));
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
