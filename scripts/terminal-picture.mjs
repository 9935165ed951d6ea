// Draws the output of `yore demo` as an SVG for the README.
//   node scripts/terminal-picture.mjs [file]      default docs/demo.svg; needs a build
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const file = process.argv[2] ?? join(root, 'docs', 'demo.svg');

const COLUMNS = 92;
const CELL = { width: 8.43, height: 19 };
const MARGIN = { x: 20, top: 50, bottom: 20 };
const FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace";

/** Bright text on a dark panel is readable on light and dark pages. */
const PANEL = '#16181d';
const TEXT = '#d7dae0';
const COLOURS = { 31: '#ff7b80', 32: '#7ee08a', 33: '#f2cc60', 36: '#79c8ff' };
const DIM = '#8b93a1';

const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
// Under its own name, as if it were installed: that is what the commands it prints are called.
const folder = mkdtempSync(join(tmpdir(), 'yore-picture-'));
const yore = join(folder, 'yore');
symlinkSync(join(root, bin.yore), yore);
const output = execFileSync(process.execPath, [yore, 'demo', '--fast'], {
  encoding: 'utf8',
  env: { PATH: process.env.PATH, FORCE_COLOR: '1', LANG: 'C.UTF-8', COLUMNS: String(COLUMNS) },
});
rmSync(folder, { recursive: true });
const lines = `\x1b[2m$\x1b[22m \x1b[1myore demo\x1b[22m\n${output}`.trimEnd().split('\n');
writeFileSync(file, draw(lines.map(splitRuns)));
console.log(`wrote ${file}: ${lines.length} lines`);

/** Splits a line into runs of the same colour and weight. */
function splitRuns(line) {
  const runs = [];
  const look = { bold: false, dim: false, colour: undefined };
  for (const part of line.split(/(\x1b\[[0-9;]*m)/)) {
    const codes = /^\x1b\[([0-9;]*)m$/.exec(part);
    if (codes) for (const code of codes[1].split(';').map(Number)) applyCode(look, code);
    else if (part !== '') runs.push({ text: part, ...look });
  }
  return runs;
}

/** Every character of the demo is one column wide. */
function displayWidth(text) {
  return Array.from(text).length;
}

function applyCode(look, code) {
  if (code === 1) look.bold = true;
  else if (code === 2) look.dim = true;
  else if (code === 22) Object.assign(look, { bold: false, dim: false });
  else if (code === 39) look.colour = undefined;
  else if (code in COLOURS) look.colour = COLOURS[code];
  else throw new Error(`Unknown terminal code ${code}.`);
}

function draw(rows) {
  const width = Math.ceil(COLUMNS * CELL.width + 2 * MARGIN.x);
  const height = MARGIN.top + rows.length * CELL.height + MARGIN.bottom;
  const title = 'Output of yore demo in a terminal';
  const buttons = ['#ff5f57', '#febc2e', '#28c840']
    .map((fill, index) => `<circle cx="${24 + index * 20}" cy="22" r="6" fill="${fill}"/>`)
    .join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" role="img" aria-label="${title}">
<title>${title}</title>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10" fill="${PANEL}" stroke="#3a3f4b"/>
${buttons}
<g font-family="${FONT}" font-size="14" fill="${TEXT}" xml:space="preserve">
${rows.map(drawRow).filter(Boolean).join('\n')}
</g>
</svg>
`;
}

/** Positions every run by its column, so that columns line up in any font. */
function drawRow(runs, row) {
  const y = MARGIN.top + (row + 0.75) * CELL.height;
  let column = 0;
  const spans = [];
  for (const run of runs) {
    const cells = displayWidth(run.text);
    if (run.text.trim() !== '') spans.push(drawRun(run, column, cells));
    column += cells;
  }
  return spans.length > 0 ? `<text y="${y.toFixed(1)}">${spans.join('')}</text>` : '';
}

function drawRun({ text, bold, dim, colour }, column, cells) {
  const leading = displayWidth(text) - displayWidth(text.trimStart());
  const shown = text.trim();
  const x = MARGIN.x + (column + leading) * CELL.width;
  const length = (cells - leading - (displayWidth(text) - displayWidth(text.trimEnd()))) * CELL.width;
  const fill = dim ? DIM : colour;
  const attributes = [
    `x="${x.toFixed(1)}"`,
    `textLength="${length.toFixed(1)}"`,
    ...(fill ? [`fill="${fill}"`] : []),
    ...(bold ? ['font-weight="bold"'] : []),
  ];
  return `<tspan ${attributes.join(' ')}>${escapeXml(shown)}</tspan>`;
}

function escapeXml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
