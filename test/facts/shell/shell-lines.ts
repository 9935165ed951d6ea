import fc from 'fast-check';

const command = fc.constantFrom('p @ 0', 'p @ 1', 'p @ 1', 'A=1 p @ 1', 'time p @ 1');
const move = fc.constantFrom('cd a', 'cd ..', 'cd b/c', 'cd /start/z', 'cd -', 'cd a || exit 1');
const option = fc.constantFrom('set -e', 'set -o pipefail', 'set +e', 'export A=1', 'echo x', 'true');

/** Lines of commands `p <id> <code>` with all kinds of operators and compound commands. */
const { line } = fc.letrec<{ line: string; part: string }>((tie) => ({
  line: fc
    .tuple(
      fc.array(fc.tuple(tie('part'), fc.constantFrom(' && ', ' || ', '; ', '\n', ' | ')), { maxLength: 3 }),
      tie('part'),
    )
    .map(([before, last]) => before.map(([part, joint]) => part + joint).join('') + last),
  part: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    command,
    command,
    move,
    option,
    tie('line').map((inner) => `( ${inner} )`),
    tie('line').map((inner) => `{ ${inner}; }`),
    tie('line').map((inner) => `if p @ 0; then ${inner}; else p @ 1; fi`),
    tie('line').map((inner) => `for i in 1 2; do ${inner}; done`),
    tie('line').map((inner) => `case x in y) p @ 1;; *) ${inner};; esac`),
    tie('line').map((inner) => `bash -c '${inner.replaceAll("'", `'\\''`)}'`),
    tie('line').map((inner) => `x=$( ${inner} )`),
    tie('line').map((inner) => `echo "$( ${inner} )"`),
    tie('line').map((inner) => `! ( ${inner} )`),
    tie('line').map((inner) => `eval '${inner.replaceAll("'", `'\\''`)}'`),
    fc.constant('p @ 1 | tail -5'),
    fc.constant('p @ 1 & wait'),
    fc.constant('{ p @ 1; code=$?; echo; exit $code; }'),
    fc.constant('p @ 1 || { echo no; exit 1; }'),
    fc.constant('p @ 1 | cat; exit $' + '{PIPESTATUS[0]}'),
  ),
}));

/** The same generated lines on every run, with commands numbered from 0. */
export function generateLines(count: number): readonly string[] {
  return fc
    .sample(line, { numRuns: count, seed: 1 })
    .map(numbered)
    .filter((text) => text.length < 400);
}

function numbered(text: string): string {
  let id = 0;
  return text.replaceAll('@', () => String(id++));
}

const PIECES = [
  ...['a', 'é', "'b  $c'", '"d \\" \\$e \\n"', '\\ ', '\\\\', "$'x\\ty\\'\\x41\\n'", '\\\n'],
  ...['#', '=', "''", ':~', '$"f"'],
];

/** The same generated words on every run, with all kinds of quotes. */
export function generateWords(count: number): readonly string[] {
  const parts = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 6 });
  return fc.sample(parts, { numRuns: count, seed: 1 }).map((pieces) => `w${pieces.join('')}`);
}
