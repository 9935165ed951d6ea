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
  ['Moving (1/2)\rMoving (2/2)\rerror: no lamp', 'error: no lamp'],
  ['all went well', 'all went well'],
  ['', ''],
])('finds the error line of %j: %j', (output, line) => {
  expect(findErrorLine(output)).toBe(line);
});

test.each([
  [
    '[lint] $ lint .\na/lamp.go:4:2: "io" imported and not used\n[lint] ERROR task failed',
    '"io" imported and not used',
  ],
  ['--- FAIL: TestLamp (0.01s)\n    lamp_test.go:7: dim(3) = 2, want 1\nFAIL\nFAIL\tx/lamp\t0.3s', 'want 1'],
  ['lamp_test.go:5: switched on\nlamp_test.go:6: lamp should be off\n--- FAIL: TestLamp (0.01s)', 'should be off'],
  ['lamp_test.go:5: INFO cannot dim yet\nlamp_test.go:6: got 3 lamps', 'got 3 lamps'],
  ['# x/lamp\nlamp.go:9:3: no new variables on left side of :=\nFAIL\tx/lamp [build failed]\nFAIL', 'no new variables'],
  ['src/lamp.py:1:8: F401 `os` imported but unused\nFound 1 error.', 'F401'],
  ['lamp.c:3:5: warning: unused variable\nlamp.c:4:3: error: no lamp', 'lamp.c:4:3: error: no lamp'],
  ['./lamp.ts:3:5 lint/useConst ━━━\n  × This let is never assigned.\nFound 1 error.', '× This let is never assigned.'],
  ['(fail) lamp > dims [4.00ms]\n  ^ this test timed out after 4ms.', 'timed out after 4ms'],
  ['panic: lamp is nil\ngoroutine 1 [running]:\n/usr/go/panic.go:783 +0x120', 'panic: lamp is nil'],
  ['x.on(0x1)\n  /usr/go/panic.go:860 +0x12c\nFAIL\tx/lamp\t0.3s', 'FAIL x/lamp'],
  ['/app/lamp.js:3\nExecaError: Command failed with exit code 1: lamp\nerror: no bulb', 'error: no bulb'],
  [
    'Traceback (most recent call last):\n  File "/a/parse_error.py", line 3, in on_error\nValueError: dark',
    'ValueError',
  ],
  [
    '--- FAIL: TestLamp (0.01s)\n    lamp_test.go:7:\n\tError Trace:\tlamp_test.go:7\n\tError: Not equal:',
    'Not equal:',
  ],
])('prefers the reason to a summary, a count or a place alone in %j: %j', (output, line) => {
  expect(findErrorLine(output)).toContain(line);
});

test.each([
  [
    'src/lamp.ts:12:  throw new Error("unknown lamp");\nrg: lib: No such file or directory',
    'rg: lib: No such file or directory',
  ],
  ['     3\tconst unknown = lamps.find(isMissing)\nsed: lamp.ts: invalid', 'sed: lamp.ts: invalid'],
  [
    'lamp.go:3:9: "GET" can be replaced (lint)\n\tcallLamp: func(missing string) error {\n\t          ^',
    'can be replaced',
  ],
  ['\tvar err error\n\tonce.Do(func() {\n(eval):1: == not found', '(eval):1: == not found'],
  ["failureType: 'testCodeFailure'\nerror: 'lamp is off'", "error: 'lamp is off'"],
  ['lamp.go:3: 3-9 lines repeat (dupl)\n\ttype lamp struct {\n\t\tmissing int', '3-9 lines repeat (dupl)'],
  ['Serving lamps\n[862 characters left out]\nlamp: off', 'Serving lamps'],
  ['patch failed: cannot find\n) error {\n', 'patch failed: cannot find'],
  ['src/lamp.ts:12:missing()', ''],
])('does not take code that an output shows for the reason in %j: %j', (output, line) => {
  if (line === '') expect(findErrorLine(output)).toBe('');
  else expect(findErrorLine(output)).toContain(line);
});

test.each([
  ['[Lamp] invalid voltage, expected 12\nAssertionError: expected 3 to be 2', 'AssertionError: expected 3 to be 2'],
  ['unknown lamp 7\n● lamp › dims\nexpect(received).toBe(expected)', 'expect(received).toBe(expected)'],
  ['> assert lamps() == 4\nE   assert 3 == 4\ntest_lamp.py:5: AssertionError', 'E assert 3 == 4'],
  ["thread 'dims' panicked at lamp.rs:3:9:\nassertion `left == right` failed", 'assertion `left == right` failed'],
])('prefers what an assertion says to what else a test prints in %j: %j', (output, line) => {
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
  ['FAIL x/lamp 0.31s', 'FAIL x/oven 0.42s'],
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
