// Inputs for the fuzzer: JSON that looks like what a parser expects, and bytes that do not. An input is determined by its
// target, seed and number, so that it can be made again.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom } from '../soak/world.mjs';

const ODD_TEXTS = [
  '',
  ' ',
  '\n',
  '\0',
  '\u001b[31m',
  '\ud800',
  '\u2028',
  '\ufeff',
  '__proto__',
  'constructor',
  'toString',
  '../../etc/passwd',
  '2026-03-02T09:00:00.000Z',
  '9999-99-99',
  '1e999',
  'NaN',
  '-0',
  '%00',
  '$(id)',
  '`id`',
  "'",
  '"',
  '\\',
  '<<EOF\n',
  '{{',
  '}}',
  'x'.repeat(5_000),
  '{"a":'.repeat(300),
  '[['.repeat(600),
  '(('.repeat(600),
  'a=b;'.repeat(400),
  '\\'.repeat(2_000),
];
const ODD_NUMBERS = [0, -1, 1, 2 ** 31, 2 ** 53, -(2 ** 53), 1e308, 0.1, 1_772_442_000_000];
const MAX_DEPTH = 6;

/** The names and words that the code of a parser mentions. */
export function readDictionary(folder) {
  const names = new Set();
  for (const name of readdirSync(folder, { recursive: true }).filter((each) => each.endsWith('.js'))) {
    const text = readFileSync(join(folder, name), 'utf8');
    for (const [, quoted, member] of text.matchAll(/['"]([\w -]{2,40})['"]|\.([a-zA-Z_]\w{2,30})\b/g))
      names.add(quoted ?? member);
  }
  return [...names];
}

/** Makes the inputs of a target. */
export class Generator {
  constructor(seed, number, { dictionary = ['type'], seeds = ['{}'] }) {
    this.random = createRandom((seed * 1_000_003 + number * 7_919) | 0);
    this.dictionary = dictionary;
    this.seeds = seeds;
  }

  text() {
    const { random } = this;
    if (random.chance(0.4)) return random.pick(this.dictionary);
    if (random.chance(0.5)) return random.pick(ODD_TEXTS);
    return Array.from({ length: random.below(8) }, () => random.pick(this.dictionary)).join(
      random.pick([' ', '\n', '/', '']),
    );
  }

  value(depth = 0) {
    const { random } = this;
    const kind = random.below(depth >= MAX_DEPTH ? 4 : 10);
    if (kind < 3) return this.text();
    if (kind === 3) return random.pick([...ODD_NUMBERS, true, false, null]);
    if (kind < 6) return Array.from({ length: random.below(4) }, () => this.value(depth + 1));
    return this.object(depth);
  }

  object(depth = 0) {
    const keys = Array.from({ length: 1 + this.random.below(7) }, () =>
      this.random.chance(0.9) ? this.random.pick(this.dictionary) : this.text(),
    );
    return Object.fromEntries(keys.map((key) => [key, this.value(depth + 1)]));
  }

  /** A sample of the format, with some of its values replaced. */
  sample() {
    const { random } = this;
    const replace = (value, depth) => {
      if (random.chance(0.08)) return this.value(depth);
      if (Array.isArray(value)) return value.map((each) => replace(each, depth + 1));
      if (typeof value !== 'object' || value === null) return value;
      const entries = Object.entries(value).filter(() => !random.chance(0.05));
      if (random.chance(0.1)) entries.push([random.pick(this.dictionary), this.value(depth)]);
      return Object.fromEntries(entries.map(([key, each]) => [key, replace(each, depth + 1)]));
    };
    try {
      return replace(JSON.parse(random.pick(this.seeds)), 0);
    } catch {
      return random.pick(this.seeds);
    }
  }

  json() {
    const value = this.random.chance(0.6) ? this.sample() : this.random.chance(0.8) ? this.object() : this.value();
    return typeof value === 'string' ? value : JSON.stringify(value);
  }

  /** Lines of JSON, some of them damaged. */
  lines() {
    const lines = Array.from({ length: 1 + this.random.below(12) }, () => this.json().replaceAll('\n', ' '));
    return this.damaged(`${lines.join('\n')}\n`);
  }

  /** Bytes in which something may have been changed, cut out, repeated or cut off. */
  damaged(text) {
    const { random } = this;
    let bytes = Buffer.from(text);
    for (let count = random.chance(0.5) ? random.below(4) : 0; count > 0 && bytes.length > 0; count--) {
      const at = random.below(bytes.length);
      const end = Math.min(bytes.length, at + 1 + random.below(200));
      const change = random.below(5);
      if (change === 0) bytes[at] ^= 1 << random.below(8);
      else if (change === 1) bytes = bytes.subarray(0, at);
      else if (change === 2) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(end)]);
      else if (change === 3) bytes = Buffer.concat([bytes.subarray(0, end), bytes.subarray(at)]);
      else bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(this.text()), bytes.subarray(at)]);
    }
    return bytes;
  }
}
