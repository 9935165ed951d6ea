import { once } from '../record/once.ts';
import { isAscii } from '../text/is-ascii.ts';
import { listKeywords, type Rule, type Span } from './rule.ts';

/** Literals and what to call where one is found. */
export type Trigger = Pick<Rule, 'keywords' | 'find'>;

/** Finds everything that the triggers find in a text, in one pass. Spans may overlap and are in no order. */
export type Scan = (text: string) => readonly Span[];

/** One of the two neighbouring triples of characters by which a keyword is found. */
interface Entry {
  readonly keyword: string;
  /** Where the triple starts in the keyword. */
  readonly offset: number;
  /** Position of a character outside of the triple, relative to it, and its lower-case code: a cheap first check. */
  readonly probe: number;
  readonly code: number;
  readonly trigger: Trigger;
}

/** Letters, digits and the signs in keywords have a class each, bytes beyond ASCII one of their own; all others share one. */
const SIGNS = '_-.:/\\=$" \'@~+`&|?#%(),;<>';
const CLASS_BITS = 6;
const CLASS = new Uint8Array(256);
/** How rare each letter from a to z is in text and code, from 0 to 9, for choosing the rarest triples of a keyword. */
const RARITY = '14330443187341149110465759';
const [SPACE_RARITY, SIGN_RARITY, COMMON_PENALTY] = [0, 6, 8];
/** The same by character code, for signs and digits too. */
const RARITY_OF = new Uint8Array(256);
/** Triples that are common although their letters may be rare. */
const COMMON_TRIPLES =
  'ent ion ing con int def str ine err ons typ ype tio the fin nti ate com ess est sta ens tes pen ter nst tri ope rin ' +
  'sio res ile tra git nte pro ect cli ser age ame use ses for tur nam fil unc omm ret ted fun ran etu rea ith and urn ' +
  'ack rat der ode ati gen all dat ext ort ver tat tor val get ref ite ers ror ead pat ont nde set rep tin rom cti por ' +
  'omp nal lin cha par ind exp ath ata end ult pac arg new ere ert ore wor thi has nce are ist cod rec ten ase ans pre ' +
  'ign his out pla inf ner era ble ple rip our ove red app son wit tal ces ach';
/**
 * Fills the tables of classes and rarities on first use, because many processes find no keyword. Returns the cells of the
 * common triples.
 */
const fillTables = once((): ReadonlySet<number> => {
  CLASS.fill((1 << CLASS_BITS) - 1, 128);
  for (let letter = 1; letter <= 26; letter++) CLASS[letter + 96] = CLASS[letter + 64] = letter;
  for (let digit = 0; digit <= 9; digit++) CLASS[digit + 48] = 27 + digit;
  for (let i = 0; i < SIGNS.length; i++) CLASS[SIGNS.charCodeAt(i)] = 37 + i;
  RARITY_OF.fill(SIGN_RARITY);
  for (let letter = 0; letter < 26; letter++) RARITY_OF[letter + 97] = Number(RARITY[letter]);
  RARITY_OF[32] = SPACE_RARITY;
  return new Set(COMMON_TRIPLES.split(' ').map((triple) => cellAt(triple, 0)));
});

function classAt(keyword: string, at: number): number {
  // Like the characters of a text, those beyond Latin-1 are classified by their low byte.
  return CLASS[keyword.charCodeAt(at) & 255] ?? 0;
}

function cellOf(first: number, second: number, third: number): number {
  return (first << (2 * CLASS_BITS)) | (second << CLASS_BITS) | third;
}

function cellAt(keyword: string, at: number): number {
  return cellOf(classAt(keyword, at), classAt(keyword, at + 1), classAt(keyword, at + 2));
}

/**
 * Builds a scanner. It looks at every second position of a text: the classes of the three characters that end there index
 * a bitmap that fits into the fastest cache of the processor. Each keyword is in the bitmap with two neighbouring
 * triples, the rarest ones, so that it is found at even and at odd positions.
 */
export function buildScanner(triggers: readonly Trigger[]): Scan {
  const cells = 1 << (3 * CLASS_BITS);
  const table: Table = { bitmap: new Uint8Array(cells >> 3), slots: new Uint16Array(cells), buckets: [[]] };
  fillTables();
  for (const trigger of triggers) for (const keyword of listKeywords(trigger)) addKeyword(table, keyword, trigger);
  return (text) => scan(text, table);
}

function addKeyword(table: Table, keyword: string, trigger: Trigger): void {
  if (keyword.length === 3) {
    addShort(table, keyword, trigger);
    return;
  }
  for (const at of tripleOffsets(keyword)) {
    addEntry(table, cellAt(keyword, at), addBucket(table, createEntry(keyword, at, trigger)));
  }
}

interface Table {
  readonly bitmap: Uint8Array;
  /** Index of the bucket of each cell. */
  readonly slots: Uint16Array;
  /** Shared by cells and therefore never changed. */
  readonly buckets: (readonly Entry[])[];
}

/** Offsets in a keyword of the two triples by which it is found: one even, one odd. */
function tripleOffsets(keyword: string): readonly [number, number] {
  if (keyword.length === 3) return isHeadRarer(keyword) ? [0, -1] : [0, 1];
  const first = rarestPair(keyword);
  return [first, first + 1];
}

function isHeadRarer(keyword: string): boolean {
  return rarity(keyword, 0) > rarity(keyword, 2);
}

/** A keyword of three characters has only one triple: the second one includes any neighbouring character. */
function addShort(table: Table, keyword: string, trigger: Trigger): void {
  addEntry(table, cellAt(keyword, 0), addBucket(table, createEntry(keyword, 0, trigger)));
  const [first, second, third] = [classAt(keyword, 0), classAt(keyword, 1), classAt(keyword, 2)];
  const isHead = isHeadRarer(keyword);
  const slot = addBucket(table, createEntry(keyword, isHead ? -1 : 1, trigger));
  for (let any = 0; any < 1 << CLASS_BITS; any++) {
    addEntry(table, isHead ? cellOf(any, first, second) : cellOf(second, third, any), slot);
  }
}

function createEntry(keyword: string, offset: number, trigger: Trigger): Entry {
  const at = offset + 3 < keyword.length ? offset + 3 : Math.max(0, offset - 1);
  return { keyword, offset, probe: at - offset, code: keyword.charCodeAt(at) | 32, trigger };
}

function addBucket({ buckets }: Table, entry: Entry): number {
  return buckets.push([entry]) - 1;
}

function addEntry({ bitmap, slots, buckets }: Table, cell: number, slot: number): void {
  const used = slots[cell] ?? 0;
  slots[cell] = used === 0 ? slot : buckets.push([...(buckets[used] ?? []), ...(buckets[slot] ?? [])]) - 1;
  bitmap[cell >> 3] = (bitmap[cell >> 3] ?? 0) | (1 << (cell & 7));
}

/** The offset of the two neighbouring triples that are rarest. */
function rarestPair(keyword: string): number {
  let best = 0;
  let maxRarity = Number.NEGATIVE_INFINITY;
  const common = fillTables();
  let first = tripleRarity(keyword, 0, common);
  for (let at = 0; at + 4 <= keyword.length; at++) {
    const second = tripleRarity(keyword, at + 1, common);
    const pairRarity = Math.min(first, second);
    if (pairRarity > maxRarity) {
      best = at;
      maxRarity = pairRarity;
    }
    first = second;
  }
  return best;
}

function tripleRarity(keyword: string, at: number, common: ReadonlySet<number>): number {
  const sum = rarity(keyword, at) + rarity(keyword, at + 1) + rarity(keyword, at + 2);
  return common.has(cellAt(keyword, at)) ? sum - COMMON_PENALTY : sum;
}

function rarity(keyword: string, at: number): number {
  return RARITY_OF[keyword.charCodeAt(at) & 255] as number;
}

/** A part of a text as bytes, which are faster to read than characters. Allocated on first use. */
let window: Buffer | undefined;
const WINDOW_SIZE = 65_536;

function scan(text: string, { bitmap, slots, buckets }: Table): readonly Span[] {
  const found: Span[] = [];
  window ??= Buffer.allocUnsafe(WINDOW_SIZE);
  let i = 2;
  // Windows overlap by two characters.
  for (let start = 0; i < text.length; start += WINDOW_SIZE - 2) {
    const size = window.write(start === 0 ? text : text.slice(start, start + WINDOW_SIZE), 'latin1');
    i = nextCandidate(window, i - start, size, bitmap) + start;
    while (i < start + size) {
      const at = i - start;
      const cell = cellOf(classIn(window, at - 2), classIn(window, at - 1), classIn(window, at));
      const resume = visitBucket(text, i - 2, buckets[slots[cell] as number] as readonly Entry[], found);
      i = nextCandidate(window, Math.max(resume, i) + 2 - start, size, bitmap) + start;
    }
  }
  return found;
}

/** The next position, in steps of two, whose triple is in the bitmap. Redaction spends most of its time here. */
function nextCandidate(bytes: Buffer, from: number, size: number, bitmap: Uint8Array): number {
  if (from >= size) return from;
  let first = classIn(bytes, from - 2);
  let i = from;
  for (; i < size; i += 2) {
    const third = classIn(bytes, i);
    const cell = cellOf(first, classIn(bytes, i - 1), third);
    if (((bitmap[cell >> 3] as number) & (1 << (cell & 7))) !== 0) return i;
    first = third;
  }
  return i;
}

/** Never undefined, because the table has 256 entries. (A check would halve the speed of the loop.) */
function classIn(bytes: Buffer, at: number): number {
  return CLASS[bytes[at] as number] as number;
}

/** Calls the triggers whose keyword is there. Returns the end of what they found, so that it is not scanned again. */
function visitBucket(text: string, triple: number, bucket: readonly Entry[], found: Span[]): number {
  let resume = 0;
  for (let i = 0; i < bucket.length; i++) {
    const entry = bucket[i] as Entry;
    if ((text.charCodeAt(triple + entry.probe) | 32) !== entry.code) continue;
    const at = triple - entry.offset;
    if (!startsAt(entry.keyword, text, at)) continue;
    const before = found.length;
    entry.trigger.find(text, at, found);
    if (found.length > before) resume = Math.max(resume, endOf(found, before));
  }
  return resume;
}

/** The end of the spans from `from` on, without those found only by a name. */
function endOf(found: readonly Span[], from: number): number {
  return Math.max(0, ...found.slice(from).map((span) => (span.isSoft === true ? 0 : span.end)));
}

function startsAt(keyword: string, text: string, at: number): boolean {
  if (at < 0) return false;
  for (let i = 0; i < keyword.length; i++) {
    let code = text.charCodeAt(at + i);
    if (code >= 65 && code <= 90) code |= 32;
    if (code !== keyword.charCodeAt(i)) return false;
  }
  return true;
}

/** Texts up to this length are searched keyword by keyword, up to a total beyond which building the table pays off. */
const MAX_SHORT_TEXT = 4_096;
const MAX_SHORT_TOTAL = 32_768;

/**
 * Like {@link buildScanner}, for processes that may end soon: building the table takes longer than searching a few short
 * texts for every keyword.
 */
export function lazyScanner(triggers: readonly Trigger[]): Scan {
  let tableScan: Scan | undefined;
  let total = 0;
  return (text) => {
    if (tableScan !== undefined) return tableScan(text);
    total += text.length;
    if (text.length <= MAX_SHORT_TEXT && total <= MAX_SHORT_TOTAL && isAscii(text)) return scanShort(text, triggers);
    tableScan = buildScanner(triggers);
    return tableScan(text);
  };
}

/** An occurrence of a keyword in the text, by one of its two triples. */
interface Occurrence {
  readonly at: number;
  readonly trigger: Trigger;
  /** Where the triple ends. */
  readonly end: number;
}

/**
 * Finds the same as the table: keywords are found at the ends of their triples, at every second position, and what was
 * found is not scanned again.
 */
function scanShort(text: string, triggers: readonly Trigger[]): readonly Span[] {
  const occurrences = findOccurrences(text, triggers);
  const found: Span[] = [];
  if (occurrences.length === 0) return found;
  occurrences.sort((one, other) => one.end - other.end); // Stable: in the order of the triggers where ends are the same.
  let from = 2;
  for (let next = 0; next < occurrences.length; ) {
    const end = occurrences[next]?.end ?? 0;
    let after = next;
    while (occurrences[after]?.end === end) after++;
    if (end >= from && (end - from) % 2 === 0) {
      from = Math.max(visitOccurrences(text, occurrences.slice(next, after), found), end) + 2;
    }
    next = after;
  }
  return found;
}

/** Keywords are taken apart only where they may be in the text: every object counts in a short process. */
function findOccurrences(text: string, triggers: readonly Trigger[]): Occurrence[] {
  const occurrences: Occurrence[] = [];
  const lower = text.toLowerCase();
  const triples = collectTriples(lower);
  for (const trigger of triggers) {
    const { keywords } = trigger;
    if (typeof keywords !== 'string') {
      for (const keyword of keywords) {
        if (triples[tripleHash(keyword, 0)] === 1) addOccurrences(lower, keyword, trigger, occurrences);
      }
      continue;
    }
    for (let start = 0; start < keywords.length; ) {
      const space = keywords.indexOf(' ', start);
      const end = space < 0 ? keywords.length : space;
      if (triples[tripleHash(keywords, start)] === 1)
        addOccurrences(lower, keywords.slice(start, end), trigger, occurrences);
      start = end + 1;
    }
  }
  return occurrences;
}

const TRIPLE_HASHES = 1 << 13;
/** Created once per process, on first use. */
const triplesBuffer = once(() => new Uint8Array(TRIPLE_HASHES));

/** Marks the three characters at every position of a text. */
function collectTriples(text: string): Uint8Array {
  const triples = triplesBuffer().fill(0);
  for (let at = 0; at + 3 <= text.length; at++) triples[tripleHash(text, at)] = 1;
  return triples;
}

function tripleHash(text: string, at: number): number {
  return ((text.charCodeAt(at) << 8) ^ (text.charCodeAt(at + 1) << 4) ^ text.charCodeAt(at + 2)) & (TRIPLE_HASHES - 1);
}

function addOccurrences(text: string, keyword: string, trigger: Trigger, occurrences: Occurrence[]): void {
  let at = text.indexOf(keyword);
  if (at < 0) return;
  fillTables();
  const offsets = tripleOffsets(keyword);
  for (; at >= 0; at = text.indexOf(keyword, at + 1)) {
    for (const offset of offsets) {
      const end = at + offset + 2;
      if (end >= 2 && end < text.length) occurrences.push({ at, trigger, end });
    }
  }
}

/** Calls the triggers in their order. Returns the end of what they found. */
function visitOccurrences(text: string, occurrences: readonly Occurrence[], found: Span[]): number {
  let resume = 0;
  for (const { at, trigger } of occurrences) {
    const before = found.length;
    trigger.find(text, at, found);
    if (found.length > before) resume = Math.max(resume, endOf(found, before));
  }
  return resume;
}
