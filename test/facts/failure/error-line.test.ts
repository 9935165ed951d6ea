import fc from 'fast-check';
import { expect, test } from 'vitest';
import { errorSignature, findErrorLine, splitOutput } from '../../../src/facts/failure/error-line.ts';

test.each([
  ['npm error code E404\nnpm error 404 Not Found - GET https://x/y', 'npm error 404 Not Found - GET https://x/y'],
  ['make: *** [all] Error 2\nsrc/a.c:3: error: expected ;', 'src/a.c:3: error: expected ;'],
  ['> app@1.0.0 build\n> tsc\n\na.ts(1,1): error TS2304', 'a.ts(1,1): error TS2304'],
  ['Exit code 1\n\u001b[31mfatal: bad revision\u001b[0m', 'fatal: bad revision'],
  ["// If we can't load it, start with defaults\nopen a.json: no such file", 'open a.json: no such file'],
  ['func load(path string) (Settings, error) {\nload.go:3:1: undefined: load', 'load.go:3:1: undefined: load'],
  ['[lint] throw new Error("expected a name");\n[lint] a.ts: unused name, error', '[lint] a.ts: unused name, error'],
  ['2026-03-02 INFO done failed_items=0\n--- FAIL: TestDone', '--- FAIL: TestDone'],
  ['ok test/error-line.test.ts\nsrc/error.ts loaded\nTypeError: x is no function', 'TypeError: x is no function'],
  ['> node -e "throw new Error()"\nwarning: missing licence\nfatal: bad object', 'fatal: bad object'],
  ['12 │ if (error) return;\nFound 1 error.\nFound 2 matches of the string', 'Found 2 matches of the string'],
  [
    '=== error handling ===\ngo: cannot find main module, but found a.go',
    'go: cannot find main module, but found a.go',
  ],
  ['all went well', 'all went well'],
  ['', ''],
])('finds the error line of %j: %j', (output, line) => {
  expect(findErrorLine(output)).toBe(line);
});

test.each([
  ['src/a.ts(3,5): error TS2304: Cannot find name "foo"', 'src/b/c.ts(33,15): error TS2304: Cannot find name "bar"'],
  ['panic at 2026-03-02T10:00:00Z in main.go:12', 'panic at 2026-11-30T23:59:59Z in main.go:120'],
  ['cat: /tmp/tmp.Xk29Qa/one: No such file', 'cat: /tmp/tmp.Pq11Zz/two: No such file'],
  ['failed after 1.23s', 'failed after 45.6s'],
  ['commit 4f3a9c1d not found', 'commit 99aa00bb not found'],
])('%j and %j have the same signature', (a, b) => {
  expect(errorSignature(a)).toBe(errorSignature(b));
});

test.each([
  ['permission denied', 'no such file'],
  ['error TS2304: Cannot find name', 'error: Cannot find module'],
])('%j and %j have different signatures', (a, b) => {
  expect(errorSignature(a)).not.toBe(errorSignature(b));
});

test('finds an error line and a bounded signature for any output', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (output) => {
      const lines = splitOutput(output);
      expect(lines.every((line) => line !== '' && !line.includes('\n'))).toBe(true);
      const line = findErrorLine(output);
      if (lines.length > 0) expect(lines.some((each) => each.startsWith(line))).toBe(true);
      expect(errorSignature(line).length).toBeLessThanOrEqual(160);
    }),
  );
});
