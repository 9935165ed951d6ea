import { Canvas } from './canvas.ts';

const INK = '#2b2f38';
const PALE = '#c9ced8';
const PAPER = '#fbfaf7';
const LEAF = '#3f8f5f';
const BRICK = '#c1554a';
const TEA = '#d9a441';

/** Milliseconds of a page over two weeks; the cache came on the eighth day. */
const PAGE_TIMES = [412, 398, 455, 430, 471, 520, 489, 96, 61, 58, 64, 55, 59, 52];

/** A chart of response times, before and after the cache. */
export function responseTimes(): string {
  const canvas = new Canvas(360, 200, PAPER);
  const floor = 168;
  canvas.text('GET /TEAS  P95 MS', 16, 14, INK);
  for (const line of [100, 300, 500]) {
    const y = floor - Math.round(line / 4.2);
    canvas.rectangle(48, y, 300, 1, PALE);
    canvas.text(String(line), 16, y - 5, INK);
  }
  for (const [index, milliseconds] of PAGE_TIMES.entries()) {
    const height = Math.round(milliseconds / 4.2);
    const colour = milliseconds > 200 ? BRICK : LEAF;
    canvas.rectangle(54 + index * 21, floor - height, 14, height, colour);
  }
  canvas.rectangle(48, floor, 300, 2, INK);
  canvas.text('BEFORE', 102, 178, BRICK);
  canvas.text('AFTER', 244, 178, LEAF);
  return canvas.toDataUri();
}

/** A sketch of the basket page. */
export function basketSketch(): string {
  const canvas = new Canvas(320, 260, PAPER);
  canvas.rectangle(0, 0, 320, 36, LEAF);
  canvas.text('TEAHOUSE', 16, 13, PAPER);
  canvas.circle(292, 18, 9, TEA);
  canvas.text('3', 289, 13, INK);
  const basket = [
    ['EARL GREY', '7.90'],
    ['SENCHA', '12.40'],
    ['TEAPOT', '41.80'],
  ] as const;
  for (const [index, [name, price]] of basket.entries()) {
    const top = 52 + index * 46;
    canvas.rectangle(16, top, 36, 36, PALE);
    canvas.circle(34, top + 20, 10, index === 2 ? BRICK : TEA);
    canvas.rectangle(44, top + 15, 8, 4, index === 2 ? BRICK : TEA);
    canvas.text(name, 66, top + 13, INK);
    canvas.text(price, 256, top + 13, INK);
    canvas.rectangle(16, top + 41, 288, 1, PALE);
  }
  canvas.text('TOTAL', 66, 196, INK);
  canvas.text('62.10', 256, 196, INK);
  canvas.rectangle(16, 218, 288, 28, BRICK);
  canvas.text('ORDER', 140, 227, PAPER);
  return canvas.toDataUri();
}
