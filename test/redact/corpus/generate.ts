import { createHash } from 'node:crypto';

/**
 * A template with generated values, so that no secret stands literally in the corpus.
 * `⟦pw⟧` is a secret that must be masked, `⟪hex:40⟫` is filler that is not looked for. A value is a generator
 * with a length, then encoders: `⟦pw|bob:_|b64⟧` is the base64 form of `bob:` and a password.
 */
export type Template = readonly [kind: string, text: string];

/** One text of the corpus, with the values that stand for secrets in it. */
export interface Sample {
  readonly kind: string;
  readonly text: string;
  readonly secrets: readonly string[];
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
const ALPHABETS = {
  alnum: LOWER + UPPER + DIGITS,
  hex: '0123456789abcdef',
  HEX: '0123456789ABCDEF',
  upper: UPPER + DIGITS,
  lower: LOWER + DIGITS,
  digits: DIGITS,
  base32: `${UPPER}234567`,
  base64: `${LOWER}${UPPER}${DIGITS}+/`,
  base64url: `${LOWER}${UPPER}${DIGITS}-_`,
  crypt: `${LOWER}${UPPER}${DIGITS}./`,
} as const;
const WORDS = (
  'dragon sunset summer winter monkey purple falcon harbor copper velvet rocket garden thunder silver pepper marble ' +
  'orange castle wizard coffee banana shadow hockey tiger bridge lemon planet cactus guitar anchor meadow pirate'
).split(' ');
const LEET: Record<string, string> = { a: '4', e: '3', i: '1', o: '0', s: '5' };

class Values {
  private state: number;
  constructor(seed: string) {
    this.state = createHash('sha256').update(seed).digest().readUInt32LE(0);
  }

  private next(limit: number): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 0x1_0000_0000) * limit);
  }

  private pick<T>(values: ArrayLike<T>): T {
    return values[this.next(values.length)] as T;
  }

  private chars(alphabet: string, length: number): string {
    return Array.from({ length }, () => this.pick(alphabet)).join('');
  }

  private word(): string {
    return this.pick(WORDS);
  }

  private capital(): string {
    const word = this.word();
    return word.charAt(0).toUpperCase() + word.slice(1);
  }

  private leet(): string {
    return this.word().replace(/[aeios]/g, (letter) => LEET[letter] ?? letter);
  }

  /** A password as people choose it, without characters that a shell or a URL would treat specially. */
  private chosen(): string {
    return this.pick([
      () => `${this.leet()}${this.word()}${this.chars(DIGITS, 2)}`,
      () => `${this.capital()}${this.chars(DIGITS, 4)}!`,
      () => [this.word(), this.word(), this.word(), this.word()].join('-'),
      () => `top${this.word()}${this.chars(DIGITS, 2)}`,
      () => `${this.capital()}_${this.capital()}_${this.chars(DIGITS, 2)}`,
      () => `${this.word()}.${this.word()}${this.chars(DIGITS, 3)}`,
    ])();
  }

  private value(name: string, length: number, variant: number): string {
    switch (name) {
      case 'pw':
        return variant % 2 === 0 ? this.chosen() : this.chars(ALPHABETS.alnum, 12 + this.next(9));
      case 'sym': {
        const symbols = '!#%&*+^~@=?';
        const stem = variant % 2 === 0 ? this.capital() + this.leet() : this.chars(ALPHABETS.alnum, 9);
        return `${stem}${this.pick(symbols)}${this.chars(DIGITS, 2)}${this.pick(symbols)}${this.chars(LOWER, 2)}`;
      }
      case 'words':
        return Array.from({ length }, () => this.word()).join(' ');
      case 'uuid':
        return [8, 4, 4, 4, 12].map((part) => this.chars('0123456789abcdef', part)).join('-');
      case 'jwt':
        return [
          btoa('{"alg":"HS256","typ":"JWT"}').replace(/=+$/, ''),
          btoa(`{"sub":"${this.chars(DIGITS, 10)}","name":"${this.word()}"}`).replace(/=+$/, ''),
          this.chars(ALPHABETS.base64url, 43),
        ].join('.');
      case 'pem':
        return Array.from({ length }, () => this.chars(ALPHABETS.base64, 64)).join('\n');
      case 'groups':
        return Array.from({ length }, () => this.chars(LOWER, 4)).join(' ');
      default: {
        if (!(name in ALPHABETS)) throw new Error(`no generator ${name}`);
        return this.chars(ALPHABETS[name as keyof typeof ALPHABETS], length);
      }
    }
  }

  /** The value that `pw`, `hex:40` or `pw|bob:_|b64` describes. */
  generate(expression: string, variant: number): string {
    const [source = '', ...encoders] = expression.split('|');
    const [name = '', length = '16'] = source.split(':');
    return encoders.reduce((value, encoder) => encode(value, encoder), this.value(name, Number(length), variant));
  }
}

function encode(value: string, encoder: string): string {
  switch (encoder) {
    case 'b64':
      return Buffer.from(value).toString('base64');
    case 'b64url':
      return Buffer.from(value).toString('base64url');
    case 'hex':
      return Buffer.from(value).toString('hex');
    case 'url':
      return encodeURIComponent(value).replace(/[!*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
    case 'html':
      return value.replace(/[&#!*+@=%?^~]/g, (c) => (c === '&' ? '&amp;' : `&#${c.charCodeAt(0)};`));
    case 'json':
      return JSON.stringify(value).slice(1, -1);
    case 'spaced':
      return [...value].join(' ');
    default:
      return encoder.replace('_', () => value);
  }
}

/** The texts that templates stand for: `variants` of each that has generated values. */
export function* samples(templates: Iterable<Template>, variants = 2): Iterable<Sample> {
  for (const [kind, text] of templates) {
    const count = /[⟦⟪]/.test(text) ? variants : 1;
    for (let variant = 0; variant < count; variant++) {
      const values = new Values(`${kind}/${variant}`);
      const secrets: string[] = [];
      const rendered = text.replace(/⟦([^⟧]+)⟧|⟪([^⟫]+)⟫/g, (_, secret?: string, filler?: string) => {
        const value = values.generate(secret ?? filler ?? '', variant);
        if (secret !== undefined) secrets.push(value);
        return value;
      });
      yield { kind, text: rendered, secrets };
    }
  }
}

/** One template for each line of a text; `\n` in a line stands for a line end. */
export function lines(prefix: string, text: string): Template[] {
  const all = text.trim().split('\n');
  return all.map((line, index) => [`${prefix}-${index}`, line.replaceAll('\\n', '\n')]);
}

/** Whether a kind is in the half of the corpus that no rule was tuned on. */
export function isUnseen(kind: string): boolean {
  return (createHash('sha256').update(kind).digest()[0] ?? 0) % 2 === 1;
}
