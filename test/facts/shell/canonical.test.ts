import { describe, expect, it } from 'vitest';
import { canonicalCommands, hidesExitCode } from '../../../src/facts/shell/canonical.ts';

/** One row per command: `operator words @folder [circumstances] flags`. */
function outline(text: string, folder: string | undefined = '/p'): string[] {
  return canonicalCommands(text, folder).map((command) =>
    [
      command.operator,
      command.words.join(' '),
      command.folder === folder ? '' : `@${command.folder ?? '?'}`,
      command.circumstances.length > 0 ? `[${command.circumstances.join(' ')}]` : '',
      command.piped ? 'piped' : '',
      command.masked ? 'masked' : '',
      command.nested ? 'nested' : '',
    ]
      .filter((part) => part !== '')
      .join(' '),
  );
}

describe('canonicalCommands', () => {
  it.each<[string, string[]]>([
    ['npm test', ['npm test']],
    ['cd web && CI=1 npx vitest run 2>&1 | tail -20', ['vitest run @/p/web [env:CI npx] piped']],
    ['npm test > /tmp/log 2>&1', ['npm test']],
    ['make 2>/dev/null | head -n 5 | cat', ['make piped']],
    ['make | tee build.log | grep error', ['make piped', '| grep error']],
    ["make | sed -n '1,80p'", ['make piped']],
    ['git log | cut -c1-100', ['git log piped']],
    ['head -20 a.txt', ['head -20 a.txt']],
    ['a | tail -5 f', ['a piped', '| tail -5 f']],
    ['git add -A && git commit -m "x y" && git push', ['git add -A', '&& git commit -m x y', '&& git push']],
    ['make; echo "exit: $?"', ['make masked']],
    ['make || true', ['make masked']],
    ['make || echo failed', ['make masked']],
    ['make || exit 1', ['make']],
    ['make || { echo failed; exit 1; }', ['make']],
    ['make && echo ok || echo failed', ['make masked']],
    ['a || b', ['a masked', '|| b']],
    ['a || true && b', ['a masked', '; b']],
    ['a; b', ['a masked', '; b']],
    ['a && echo then && b', ['a', '&& b']],
    ['! a', ['a masked']],
    ['set -e; a; b', ['a', '; b']],
    ['set -e; a && b; c', ['a masked', '&& b', '; c']],
    ['set -euo pipefail\na | tail\nb', ['a', '; b']],
    ['set -o pipefail && a | tail', ['a']],
    ['set -o pipefail; set +o pipefail; a | tail', ['a piped']],
    ['a > log 2>&1; code=$?; tail log; exit $code', ['a', '; tail log masked']],
    ['a; exit $?', ['a']],
    ['a | tail; exit $' + '{PIPESTATUS[0]}', ['a']],
    ['npm start & sleep 3; curl localhost', ['npm start masked', '& curl localhost']],
    ['export A=1 B; make; unset A; ls', ['make [env:A env:B] masked', '; ls [env:B]']],
    ['X=$(git rev-parse HEAD)', ['git rev-parse HEAD nested']],
    ['X=$(a) | b', ['a piped nested', '| b']],
    ['echo $(git rev-parse HEAD)', ['git rev-parse HEAD masked nested']],
    ['git commit -m "$(cat <<EOF\nx\nEOF\n)"', ['git commit -m $(cat <<EOF\nx\nEOF\n)']],
    ['cat > f <<EOF\nx\nEOF\nnode f', ['cat masked', '; node f']],
    ['if a; then b; else c; fi', ['a masked nested', '; b nested', '; c nested']],
    ['for x in 1 2; do a; done', ['a masked nested']],
    ['f() { a; }; b', ['a masked nested', '; b']],
    ['(a; b) | tail', ['a piped masked nested', '; b piped nested']],
    ['{ a; b; }', ['a masked', '; b']],
    ["timeout 60 bash -lc 'cd web && npm test' | tail", ['npm test @/p/web [timeout sh -c] piped']],
    ["bash -euo pipefail -c 'a | tail; b'", ['a [sh -c]', '; b [sh -c]']],
    ['cat f | xargs rm', ['cat f piped', '| rm [xargs]']],
    ['echo x | node a.js', ['echo x piped', '| node a.js']],
    ['echo x', ['echo x']],
    ['cd web', ['cd web']],
    ['export A=1', ['export A=1']],
    ['', []],
  ])('extracts the commands of %j', (text, rows) => {
    expect(outline(text)).toEqual(rows);
  });

  it.each<[string, string[]]>([
    ['cd a/b && x', ['x @/p/a/b']],
    ['cd a && cd .. && x', ['x']],
    ['cd /q/ && x; cd - && y', ['x @/q masked', '; y']],
    ['cd "a b" && x', ['x @/p/a b']],
    ['cd $DIR && x', ['x @?']],
    ['cd ~/a && x', ['x @?']],
    ['cd && x', ['x @?']],
    ['cd $DIR && cd /q && x', ['x @/q']],
    ['(cd a && x) && y', ['x @/p/a nested', '&& y']],
    ['{ cd a; x; } && y', ['x @/p/a', '&& y @/p/a']],
    ['pushd a; x; popd; y', ['x @/p/a masked', '; y']],
    ['cd a | x', ['x']],
    ['cd a & x', ['x']],
    ['cd a || exit 1; x', ['x @/p/a']],
    ['a && cd b && x || y', ['a masked', '&& x @/p/b masked', '|| y @?']],
    ['cd a || cd b; x', ['x @?']],
    [
      'if a; then cd b; x; else y; fi; z',
      ['a masked nested', '; x @/p/b masked nested', '; y masked nested', '; z @?'],
    ],
    ['for d in a b; do (cd $d && x); done; y', ['x @? masked nested', '; y']],
    ["bash -c 'cd a && x'; y", ['x @/p/a [sh -c] masked', '; y']],
    ["eval 'cd a'; x", ['x @/p/a']],
  ])('follows the folder in %j', (text, rows) => {
    expect(outline(text)).toEqual(rows);
  });

  it('resolves folders relative to a root, and leaves them out without one', () => {
    expect(canonicalCommands('cd src && x', '.')[0]?.folder).toBe('src');
    expect(canonicalCommands('cd .. && x', 'a/b')[0]?.folder).toBe('a');
    expect(canonicalCommands('cd src && x', undefined)[0]).not.toHaveProperty('folder');
    expect(canonicalCommands('cd /src && x', undefined)[0]?.folder).toBe('/src');
  });

  it('keeps the redirections', () => {
    const [command] = canonicalCommands(`A=1 psql   -c 'a b' \\\n "$DB" <<EOF >out 2>&1\nselect\nEOF`, '/p');
    expect(command).toMatchObject({
      words: ['psql', '-c', 'a b', '$DB'],
      redirections: [
        { operator: '<<', target: 'EOF' },
        { operator: '>', target: 'out' },
        { operator: '2>&1', target: '' },
      ],
    });
  });
});

describe('hidesExitCode', () => {
  it.each([
    'npm test | tail -20',
    'npm test 2>&1 | grep -v warn',
    'npm test || true',
    'npm test; echo done',
    'npm test; ls',
    'npm test &',
    '! npm test',
    '(cd web && npm test) | tail',
    "bash -lc 'npm test | tail'",
    'for d in a b; do npm test; done',
    'set -e; npm test | tail',
    'set -e; npm test || true',
    'cat a | head',
  ])('is true for %j', (text) => {
    expect(hidesExitCode(text)).toBe(true);
  });

  it.each([
    'npm test',
    'cd web && npm test',
    'npm test 2>&1 > log',
    'ls; npm test',
    'cat a | node b.js',
    'set -o pipefail; npm test | tail',
    "bash -o pipefail -c 'npm test | tail'",
    'set -e; npm run build; npm test',
    'npm test || exit 1',
    'git commit -m "$(git log -1 | head)"',
    'if ! command -v x; then npm i -g x; fi',
    '',
  ])('is false for %j', (text) => {
    expect(hidesExitCode(text)).toBe(false);
  });
});
