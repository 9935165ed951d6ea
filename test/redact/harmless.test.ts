import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redact } from '../../src/redact/index.ts';
import { fill, seeded } from './formats.ts';
import { HARMLESS } from './harmless.ts';

describe('redact', () => {
  it.each(HARMLESS)('leaves %s alone', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('leaves a text with all harmless examples alone', () => {
    const text = HARMLESS.join('\n');
    expect(redact(text)).toBe(text);
  });

  const NAMES = ['token', 'apiKey', 'password', 'secret', 'key', 'DB_PASSWORD', 'accessToken', 'auth', 'credentials'];
  const CODE: readonly ((name: string, other: string) => string)[] = [
    (name, other) => `const ${name} = ${other}();`,
    (name, other) => `this.${name} = ${other}.${name};`,
    (name) => `function use(${name}: string, count = 12): void {`,
    (name, other) => `if (${name} === ${other}) return null;`,
    (name, other) => `const { ${name}, ${other} } = config;`,
    (name) => `${name}: process.env.${name.toUpperCase()},`,
    (name) => `${name}=\${${name.toUpperCase()}}`,
    (name) => `export ${name}="$(cat /run/secrets/file)"`,
    (name, other) => `self.${name} = ${other} or self._${name}`,
    (name) => `readonly ${name}?: string | undefined;`,
    (name, other) => `${name}: ${other}.get("${name}"),`,
    (name) => `it("asks for the ${name} when it is missing", () => {`,
    (name) => `the ${name} is checked before the request is sent.`,
    (name) => `"${name}": { "type": "string", "description": "The ${name} to use" },`,
    (name) => `--${name} <${name}>   the ${name} of the account`,
    (name, other) => `${name} => ${other}(${name})`,
    (name) => `<input type="text" name="${name}" placeholder="Your ${name}">`,
    (name) => `# ${name} must be set, see the README`,
  ];
  const OTHERS = ['value', 'request', 'getUser', 'options', 'current', 'response', 'loadSettings', 'parsed', 'account'];

  it('leaves code with names of secrets alone', () => {
    const line = fc
      .tuple(fc.constantFrom(...CODE), fc.constantFrom(...NAMES), fc.constantFrom(...OTHERS))
      .map(([write, name, other]) => write(name, other));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        const text = lines.join('\n');
        expect(redact(text)).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });

  const IDENTIFIERS: readonly ((random: (template: string) => string) => string)[] = [
    (random) => `commit ${random('<h:40>')}`,
    (random) => `"integrity": "sha512-${random('<b:86>')}=="`,
    (random) => `image@sha256:${random('<h:64>')}`,
    (random) => `"id": "${random('<uuid>')}", "sessionId": "${random('<uuid>')}"`,
    (random) => `${random('<h:7>')}..${random('<h:7>')}  main -> main`,
    (random) => `background: url(data:image/png;base64,${random('<b:200>')})`,
    (random) => `etag: "${random('<h:32>')}"`,
    (random) => `/assets/index-${random('<a:8>')}.js`,
    (random) => `trace_id=${random('<h:32>')} span_id=${random('<h:16>')}`,
    (random) => `2024-05-01T10:00:00.${random('<d:3>')}Z INFO request ${random('<a:12>')} took ${random('<d:3>')} ms`,
    (random) => `golang.org/x/net v0.17.0 h1:${random('<b:43>')}=`,
    (random) => `checksum = "${random('<h:64>')}"`,
    (random) => `<circle cx="${random('<d:2>')}.${random('<d:3>')}" fill="#${random('<h:6>')}"/>`,
    (random) => `usage: ${random('<d:4>')} input tokens, ${random('<d:4>')} output tokens`,
  ];

  it('leaves hashes, identifiers, digests and times alone', () => {
    fc.assert(
      fc.property(fc.constantFrom(...IDENTIFIERS), fc.nat(), (write, seed) => {
        const random = seeded(seed);
        const text = write((template) => fill(template, random));
        expect(redact(text)).toBe(text);
      }),
      { numRuns: 2000, seed: 1 },
    );
  });
});
