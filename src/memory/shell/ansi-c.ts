const ESCAPE = /\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([0-7]{1,3})|([\s\S]))/g;

const NAMED: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  v: '\v',
};

/** The text between the quotes of `$'…'` with its escapes decoded; an unknown escape stays as written. */
export function decodeAnsiC(text: string): string {
  return text.replace(ESCAPE, (whole, byte, short, long, octal, named: string | undefined) => {
    if (named !== undefined) return NAMED[named] ?? (/[\\'"?]/.test(named) ? named : whole);
    const code = octal === undefined ? Number.parseInt(byte ?? short ?? long, 16) : Number.parseInt(octal, 8);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
