import type { Find, Span } from './span.ts';
import { isCommonPair } from './value.ts';

/** A literal and what to do where it is found. */
export interface Trigger {
  /** Lower case, at least three characters. */
  readonly keyword: string;
  readonly find: Find;
}

/** Finds everything the triggers find in a text, in one pass; spans may overlap and are in no order. */
export type Scan = (text: string) => readonly Span[];

/** One of two neighbouring places in a keyword whose three characters lead to it. */
interface Entry {
  readonly keyword: string;
  readonly offset: number;
  /** A character of the keyword outside of the three, seen from their beginning, and its code in lower case. */
  readonly probe: number;
  readonly code: number;
  readonly find: Find;
}

/** Letters, digits and the signs that occur in keywords are told apart; everything else is one class. */
const SIGNS = '_-.:/\\=$" \'@~+`&|?#%(),;<>';
const CLASS_BITS = 6;
const CLASS: Uint8Array = classes();
/** How often a letter is met in text and code, in thousandths, to pick the rarest part of a keyword. */
const LETTERS = [
  60, 12, 30, 28, 90, 20, 16, 30, 52, 3, 7, 32, 20, 52, 55, 22, 1, 48, 48, 66, 22, 8, 12, 4, 12, 2,
];
const COMMON_TRIPLES: ReadonlySet<string> = new Set(
  (
    'ent ion ing con int def str ine err ons typ ype tio the fin nti ate com ess est sta ens tes pen ter nst tri ope rin ' +
    'sio res ile tra git nte pro ect cli ser age ame use ses for tur nam fil unc omm ret ted fun ran etu rea ith and urn ' +
    'ack rat der ode ati gen all dat ext ort ver tat tor val get ref ite ers ror ead pat ont nde set rep tin rom cti por ' +
    'omp nal lin cha par ind exp ath ata end ult pac arg new ere ert ore wor thi has nce are ist cod rec ten ase ans pre ' +
    'ign his out pla inf ner era ble ple rip our ove red app son wit tal ect ans ces ach'
  ).split(' '),
);
const SPACE_FREQUENCY = 150;
const OTHER_FREQUENCY = 10;

function classes(): Uint8Array {
  const table = new Uint8Array(256);
  for (let letter = 1; letter <= 26; letter++) table[letter + 96] = table[letter + 64] = letter;
  for (let digit = 0; digit <= 9; digit++) table[digit + 48] = 27 + digit;
  for (const [i, sign] of [...SIGNS].entries()) table[sign.charCodeAt(0)] = 37 + i;
  return table;
}

const classAt = (keyword: string, at: number): number => CLASS[keyword.charCodeAt(at)] ?? 0;

/**
 * Builds a scanner. Every second position of a text is looked at: the classes of the three characters that end there
 * index a bitmap that fits the fastest cache. A keyword stands in it with two neighbouring triples, its rarest, so that
 * it is met at even and at odd positions.
 */
export function buildScanner(triggers: readonly Trigger[]): Scan {
  const cells = 1 << (3 * CLASS_BITS);
  const table: Table = { bitmap: new Uint8Array(cells >> 3), slots: new Uint16Array(cells), buckets: [[]] };
  for (const { keyword, find } of triggers) {
    for (const { cell, offset } of cellsOf(keyword)) addEntry(table, cell, entryOf(keyword, offset, find));
  }
  return (text) => scan(text, table);
}

interface Table {
  readonly bitmap: Uint8Array;
  /** Index of a cell's bucket. */
  readonly slots: Uint16Array;
  readonly buckets: Entry[][];
}

function addEntry({ bitmap, slots, buckets }: Table, cell: number, entry: Entry): void {
  bitmap[cell >> 3] = (bitmap[cell >> 3] ?? 0) | (1 << (cell & 7));
  const slot = slots[cell] ?? 0;
  if (slot > 0) buckets[slot]?.push(entry);
  else slots[cell] = buckets.push([entry]) - 1;
}

function entryOf(keyword: string, offset: number, find: Find): Entry {
  const at = offset + 3 < keyword.length ? offset + 3 : Math.max(0, offset - 1);
  return { keyword, offset, probe: at - offset, code: keyword.charCodeAt(at) | 32, find };
}

interface Cell {
  readonly cell: number;
  readonly offset: number;
}

const cellOf = (first: number, second: number, third: number): number =>
  (first << (2 * CLASS_BITS)) | (second << CLASS_BITS) | third;

function cellsOf(keyword: string): readonly Cell[] {
  const triple = (at: number): Cell => {
    return {
      cell: cellOf(classAt(keyword, at), classAt(keyword, at + 1), classAt(keyword, at + 2)),
      offset: at,
    };
  };
  if (keyword.length > 3) {
    const at = rarestPair(keyword);
    return [triple(at), triple(at + 1)];
  }
  // Too short for two triples: any character may take part in the second.
  const isHeadRarer = commonness(keyword, 0, 2) < commonness(keyword, 1, 2);
  const cells = [triple(0)];
  for (let any = 0; any < 1 << CLASS_BITS; any++) {
    if (isHeadRarer) cells.push({ cell: cellOf(any, classAt(keyword, 0), classAt(keyword, 1)), offset: -1 });
    else cells.push({ cell: cellOf(classAt(keyword, 1), classAt(keyword, 2), any), offset: 1 });
  }
  return cells;
}

function rarestPair(keyword: string): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at + 4 <= keyword.length; at++) {
    const common = commonness(keyword, at, 3) + commonness(keyword, at + 1, 3);
    if (common < least) [best, least] = [at, common];
  }
  return best;
}

function commonness(keyword: string, at: number, length: number): number {
  let product = 1;
  for (let i = at; i < at + length; i++) {
    const kind = classAt(keyword, i);
    product *= keyword[i] === ' ' ? SPACE_FREQUENCY : (LETTERS[kind - 1] ?? OTHER_FREQUENCY);
    if (i > at && !isCommonPair(keyword.charCodeAt(i - 1), keyword.charCodeAt(i))) product /= 10;
  }
  return length === 3 && COMMON_TRIPLES.has(keyword.slice(at, at + 3)) ? product * 20 : product;
}

function scan(text: string, { bitmap, slots, buckets }: Table): readonly Span[] {
  const found: Span[] = [];
  for (let i = next(text, 2, bitmap); i < text.length; ) {
    const cell = cellOf(classOf(text, i - 2), classOf(text, i - 1), classOf(text, i));
    const resume = visit(text, i - 2, buckets[slots[cell] as number] as Entry[], found);
    i = next(text, Math.max(resume, i) + 2, bitmap);
  }
  return found;
}

/** The next position, in steps of two, whose triple is in the bitmap. Most of the time of redaction is spent here. */
function next(text: string, from: number, bitmap: Uint8Array): number {
  const length = text.length;
  if (from >= length) return length;
  let first = classOf(text, from - 2);
  for (let i = from; i < length; i += 2) {
    const third = classOf(text, i);
    const cell = (first << 12) | (classOf(text, i - 1) << 6) | third;
    if (((bitmap[cell >> 3] as number) & (1 << (cell & 7))) !== 0) return i;
    first = third;
  }
  return length;
}

/** Never undefined: the table has 256 entries. (Asserted, because a check costs half the speed of the loop.) */
function classOf(text: string, at: number): number {
  return CLASS[text.charCodeAt(at) & 255] as number;
}

/** Calls the triggers whose keyword is really there. Returns the end of what they found, so that it is not read again. */
function visit(text: string, triple: number, bucket: readonly Entry[], found: Span[]): number {
  let resume = 0;
  for (let i = 0; i < bucket.length; i++) {
    const entry = bucket[i] as Entry;
    if ((text.charCodeAt(triple + entry.probe) | 32) !== entry.code) continue;
    const at = triple - entry.offset;
    if (!isAt(entry.keyword, text, at)) continue;
    const before = found.length;
    entry.find(text, at, found);
    if (found.length > before) resume = Math.max(resume, endOf(found, before));
  }
  return resume;
}

/** The end of the spans from `from` on that are sure of what they found. */
function endOf(found: readonly Span[], from: number): number {
  return Math.max(0, ...found.slice(from).map((span) => (span.isSoft === true ? 0 : span.end)));
}

function isAt(keyword: string, text: string, at: number): boolean {
  if (at < 0) return false;
  for (let i = 0; i < keyword.length; i++) {
    let code = text.charCodeAt(at + i);
    if (code >= 65 && code <= 90) code |= 32;
    if (code !== keyword.charCodeAt(i)) return false;
  }
  return true;
}
