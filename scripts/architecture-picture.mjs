// `npm run architecture`: draws docs/architecture.diagram.json as docs/architecture-light.svg and docs/architecture-dark.svg.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const docs = join(dirname(dirname(fileURLToPath(import.meta.url))), 'docs');

const THEMES = {
  light: {
    page: '#ffffff',
    group: '#f6f8fa',
    line: '#d0d7de',
    box: '#ffffff',
    text: '#1f2328',
    quiet: '#59636e',
    accent: '#0969da',
    accentBox: '#ddf4ff',
  },
  dark: {
    page: '#0d1117',
    group: '#151b23',
    line: '#3d444d',
    box: '#0d1117',
    text: '#f0f6fc',
    quiet: '#9198a1',
    accent: '#4493f8',
    accentBox: '#121d2f',
  },
};

/** The SVG of a diagram; the same bytes for the same input. */
export function drawDiagram({ title, width, height, groups, boxes, arrows }, theme) {
  const color = THEMES[theme];
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(title)}" font-family="system-ui, -apple-system, 'Segoe UI', sans-serif">`,
    `<title>${escapeXml(title)}</title>`,
    `<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" fill="${color.accent}"/></marker></defs>`,
    `<rect width="${width}" height="${height}" fill="${color.page}"/>`,
    ...groups.map((group) => drawGroup(group, color)),
    ...arrows.map((arrow) => drawArrow(boxes[arrow.from], boxes[arrow.to], arrow, color)),
    ...Object.values(boxes).map((box) => drawBox(box, color)),
    ...arrows.map((arrow) => drawLabel(boxes[arrow.from], boxes[arrow.to], arrow, color)),
    '</svg>',
  ]
    .filter((part) => part !== '')
    .join('\n')}\n`;
}

function drawGroup({ x, y, width, height, label }, color) {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="10" fill="${color.group}" stroke="${color.line}"/><text x="${x + 16}" y="${y + 26}" font-size="13" fill="${color.quiet}">${escapeXml(label)}</text>`;
}

function drawBox({ x, y, width, height, label, note = [], kind }, color) {
  const isAccent = kind === 'accent';
  const fill = isAccent ? color.accentBox : color.box;
  const stroke = isAccent ? color.accent : color.line;
  const dash = kind === 'quiet' ? ' stroke-dasharray="4 3"' : '';
  const middle = x + width / 2;
  const top = y + height / 2 - (note.length * 16) / 2 + 4;
  const lines = note.map(
    (line, index) =>
      `<text x="${middle}" y="${top + 17 + index * 16}" font-size="12" text-anchor="middle" fill="${color.quiet}">${escapeXml(line)}</text>`,
  );
  return [
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="8" fill="${fill}" stroke="${stroke}"${dash}/>`,
    `<text x="${middle}" y="${top}" font-size="14" font-weight="600" text-anchor="middle" fill="${color.text}">${escapeXml(label)}</text>`,
    ...lines,
  ].join('');
}

function drawArrow(from, to, { points }, color) {
  const path = (points ?? straight(from, to)).map(([x, y]) => `${x} ${y}`).join('L');
  return `<path d="M${path}" fill="none" stroke="${color.accent}" stroke-width="1.5" marker-end="url(#tip)"/>`;
}

function drawLabel(from, to, { label = '', points }, color) {
  if (label === '') return '';
  const line = points ?? straight(from, to);
  const [[x1, y1], [x2, y2]] = [line[0], line.at(-1)];
  const isVertical = x1 === x2;
  const x = (x1 + x2) / 2 + (isVertical ? 6 : 0);
  const y = (y1 + y2) / 2 + (isVertical ? 4 : -6);
  return `<text x="${x}" y="${y}" font-size="11" text-anchor="${isVertical ? 'start' : 'middle'}" fill="${color.accent}">${escapeXml(label)}</text>`;
}

/** From the side of one box to the facing side of the other. */
function straight(from, to) {
  const overlapTop = Math.max(from.y, to.y);
  const overlapBottom = Math.min(from.y + from.height, to.y + to.height);
  if (overlapBottom > overlapTop) {
    const y = (overlapTop + overlapBottom) / 2;
    return from.x < to.x
      ? [
          [from.x + from.width, y],
          [to.x - 2, y],
        ]
      : [
          [from.x, y],
          [to.x + to.width + 2, y],
        ];
  }
  const x = (Math.max(from.x, to.x) + Math.min(from.x + from.width, to.x + to.width)) / 2;
  return from.y < to.y
    ? [
        [x, from.y + from.height],
        [x, to.y - 2],
      ]
    : [
        [x, from.y],
        [x, to.y + to.height + 2],
      ];
}

function escapeXml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const diagram = JSON.parse(readFileSync(join(docs, 'architecture.diagram.json'), 'utf8'));
  for (const theme of Object.keys(THEMES)) {
    writeFileSync(join(docs, `architecture-${theme}.svg`), drawDiagram(diagram, theme));
  }
}
