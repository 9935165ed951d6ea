import { describe, expect, it } from 'vitest';
import { parseShell, type ShellCommand } from '../../../src/facts/shell/parse-shell.ts';

/** One row per pipeline: its operator and the words of its commands. */
function outline(text: string): string[] {
  return parseShell(text).pipelines.map(({ operator, commands, negated }) => {
    const stages = commands.map((command) => command.words.map((word) => word.text).join('·'));
    return `${operator} ${negated ? '! ' : ''}${stages.join(' | ')}`.trim();
  });
}

function firstCommand(text: string): ShellCommand {
  const command = parseShell(text).pipelines[0]?.commands[0];
  if (command === undefined) throw new Error(`no command in ${text}`);
  return command;
}

function firstWords(text: string): string[] {
  return firstCommand(text).words.map((word) => word.text);
}

describe('commands and operators', () => {
  it.each<[string, string[]]>([
    ['npm test', ['npm·test']],
    ['a && b || c; d & e', ['a', '&& b', '|| c', '; d', '& e']],
    ['a\nb\n\n# note\nc # more', ['a', '; b', '; c']],
    ['a |\n  b |& c', ['a | b | c']],
    ['a &&\n # why\n b', ['a', '&& b']],
    ['! grep -q x f', ['! grep·-q·x·f']],
    ['npm run build \\\n  --if-present \\\r\n --silent', ['npm·run·build·--if-present·--silent']],
    ['a;b;', ['a', '; b']],
    ['a\r\nb\r\n', ['a', '; b']],
    ['echo a#b #c', ['echo·a#b']],
    ['(a; b) && { c; d; }', ['a', '; b', '&& c', '; d']],
    ['((a); b)', ['a', '; b']],
    ['((i++)) && a', ['((i++))', '&& a']],
    ['for f in a b; do x "$f"; done | head', ['x·$f', 'head']],
    ['for f in $(ls); do x; done', ['ls', 'x']],
    ['for ((i=0; i<3; i++)); do x; done', ['x']],
    ['for f; do x; done; y', ['x', '; y']],
    ['while read -r l; do x; done < <(y z)', ['y·z', 'read·-r·l', '; x']],
    ['until a; do b; done', ['a', '; b']],
    ['if a; then b; elif c; then d; else e; fi; f', ['a', '; b', '; c', '; d', '; e', '; f']],
    ['case "$1" in a|b) x;; (c) y ;& *) z; esac; w', ['x', '; y', '; z', '; w']],
    ['x=$(case a in a) b;; esac) && c', ['b', '', '&& c']],
    ['f() { a; }; function g { b; }; function h() (c); f', ['a', '; b', '; c', '; f']],
    ['select x in a b; do c; done', ['c']],
    ['time (a; b)', ['a', '; b']],
    ['[[ -f a && ( $b =~ ^(x|y)$ || c < d ) ]] && e', ['[[·-f·a·&&·(·$b·=~·^(x|y)$·||·c·<·d·)·]]', '&& e']],
    ['[ -f a ] || b', ['[·-f·a·]', '|| b']],
    ['diff <(a 1) <(b 2)', ['a·1', 'b·2', 'diff·<(a 1)·<(b 2)']],
    ['echo "$(a "$(b)")"', ['b', 'a·$(b)', 'echo·$(a "$(b)")']],
    ['echo `a \\`b\\``', ['b', 'a·`b`', 'echo·`a \\`b\\``']],
    ['echo $((1 + (2 * 3))) x', ['echo·$((1 + (2 * 3)))·x']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: shell, not a template
    ['echo ${a:-$(b)} ${c#"}"}', ['b', 'echo·${a:-$(b)}·${c#"}"}']],
    ['ls !(a|b) *.@(ts|js)', ['ls·!(a|b)·*.@(ts|js)']],
    ['find . -exec rm {} \\;', ['find·.·-exec·rm·{}·;']],
    ['echo then done fi', ['echo·then·done·fi']],
    ['bash -lc "cd a && make" && b', ['cd·a', '&& make', '&& b']],
    ["sudo sh -ec 'a; b'", ['a', '; b']],
    ['bash <<EOF\na\nb\nEOF', ['a', '; b']],
    ['bash run.sh -c x', ['bash·run.sh·-c·x']],
    ["eval 'a && b'", ['a', '&& b']],
    ['', []],
    ['  \n # only a comment', []],
  ])('parses %j', (text, rows) => {
    expect(outline(text)).toEqual(rows);
    expect(parseShell(text).complete).toBe(true);
  });

  it('marks nested commands', () => {
    const nested = (text: string) =>
      parseShell(text).pipelines.flatMap((pipeline) => pipeline.commands.map((command) => command.nested));
    expect(nested('a; { b; }')).toEqual([false, false]);
    expect(nested('(a); f() { b; }; if c; then d; fi')).toEqual([true, true, true, true]);
    expect(nested('a $(b)')).toEqual([true, false]);
    expect(nested("bash -c 'a'")).toEqual([false]);
  });

  it('marks the whole chain before & as running in the background', () => {
    const background = parseShell('a; b && c & d').pipelines.map((pipeline) => pipeline.background);
    expect(background).toEqual([false, true, true, false]);
  });

  it('passes the circumstances of bash -c to the commands of its script', () => {
    expect(firstCommand("A=1 timeout 5 bash -c 'x'").inherited).toEqual(['env:A', 'timeout', 'sh -c']);
  });
});

describe('words', () => {
  it.each<[string, string[]]>([
    [`a 'b c' "d e" f\\ g`, ['a', 'b c', 'd e', 'f g']],
    [`a 'b'"c"d`, ['a', 'bcd']],
    [`a "x \\"y\\" \\$z \\n" '\\n'`, ['a', 'x "y" $z \\n', '\\n']],
    [`a $'x\\ty\\'z\\x41\\u00e9\\101\\q'`, ['a', "x\ty'zAéA\\q"]],
    [`a $"x"`, ['a', 'x']],
    [`a ''`, ['a', '']],
    ['a b\\\nc', ['a', 'bc']],
    ['a "b\\\nc"', ['a', 'bc']],
    ['a $ b$', ['a', '$', 'b$']],
    ['git log --format=%H..HEAD^{commit} @{u}', ['git', 'log', '--format=%H..HEAD^{commit}', '@{u}']],
    ['a\u00a0b', ['a\u00a0b']],
  ])('removes the quotes of %j', (text, words) => {
    expect(firstWords(text)).toEqual(words);
  });

  it.each<[string, boolean, boolean]>([
    ['plain', false, false],
    ["'$a'", true, false],
    ['"$a"', true, true],
    ['\\$a', true, false],
    ['"\\$a"', true, false],
    ['$(a)', false, true],
    ['`a`', false, true],
    ['*.ts', false, true],
    ['"*.ts"', true, false],
    ['a?', false, true],
    ['[ab]', false, true],
    ['[', false, false],
    ['{a,b}', false, true],
    ['{1..3}', false, true],
    ['{}', false, false],
    ['"{a,b}"', true, false],
    ['<(a)', false, true],
  ])('parses %s as quoted (%s) and expanding (%s)', (source, quoted, expands) => {
    const word = parseShell(`x ${source}`).pipelines.at(-1)?.commands[0]?.words[1];
    expect(word).toMatchObject({ quoted, expands, source });
  });
});

describe('assignments and redirections', () => {
  it('reads assignments before a command and keeps later ones as words', () => {
    const command = firstCommand('A=1 B="x y" c+=2 d[0]=z make CC=clang');
    expect(command.assignments).toEqual([
      { name: 'A', value: '1' },
      { name: 'B', value: 'x y' },
      { name: 'c', value: '2' },
      { name: 'd', value: 'z' },
    ]);
    expect(command.words.map((word) => word.text)).toEqual(['make', 'CC=clang']);
  });

  it('keeps an array as written', () => {
    expect(outline('a=(x "y z" # note\n $(w)) && b')).toEqual(['w', '', '&& b']);
    expect(firstCommand('a=(x "y z") b=()').assignments).toEqual([
      { name: 'a', value: '(x "y z")' },
      { name: 'b', value: '()' },
    ]);
  });

  it.each<[string, string[]]>([
    ['a > f', ['> f']],
    ['a >>f 2>&1', ['>> f', '2>&1 ']],
    ['a 2>/dev/null', ['2> /dev/null']],
    ['a &>f', ['&> f']],
    ['a &>> f', ['&>> f']],
    ['a >& f', ['>& f']],
    ['a >&2', ['>&2 ']],
    ['a 2>&-', ['2>&- ']],
    ['a >| f', ['>| f']],
    ['a < f > g', ['< f', '> g']],
    ['a <<< "x y"', ['<<< x y']],
    ['a {fd}> f', ['{fd}> f']],
    ['a > >(b)', ['> >(b)']],
    ['> f', ['> f']],
  ])('reads the redirections of %j', (text, redirections) => {
    const command = parseShell(text).pipelines.at(-1)?.commands[0];
    expect(command?.redirections.map(({ operator, target }) => `${operator} ${target}`)).toEqual(redirections);
    expect(command?.words.map((word) => word.text)).toEqual(text.startsWith('>') ? [] : ['a']);
  });

  it('reads a number as a descriptor only directly before the operator', () => {
    expect(firstWords('a 2 > f')).toEqual(['a', '2']);
  });
});

describe('heredocs', () => {
  it('separates the body from the words and continues after it', () => {
    const text = "cat > f <<'EOF' && b\n$x (' \nEOF\nc";
    expect(outline(text)).toEqual(['cat', '&& b', '; c']);
    expect(firstCommand(text).heredocs).toEqual(["$x (' "]);
  });

  it('reads several heredocs of one line in order', () => {
    expect(firstCommand('a <<X <<Y\n1\nX\n2\nY\n').heredocs).toEqual(['1', '2']);
  });

  it('strips tabs for <<- only', () => {
    expect(firstCommand('a <<-X\n\t1\n\tX\n').heredocs).toEqual(['1']);
    expect(firstCommand('a <<X\n\t1\nX\n').heredocs).toEqual(['\t1']);
  });

  it('finds the end inside a substitution and with CRLF line endings', () => {
    const commit = "git commit -m \"$(cat <<'EOF'\nit's (a\nEOF\n)\" && git push";
    expect(outline(commit)).toEqual(['cat', "git·commit·-m·$(cat <<'EOF'\nit's (a\nEOF\n)", '&& git·push']);
    expect(outline('a <<X\r\n1\r\nX\r\nb\r\n')).toEqual(['a', '; b']);
  });
});

describe('truncated or malformed text', () => {
  it.each([
    "a 'b",
    'a "b',
    'a "$(b',
    'a $(b',
    'a `b',
    'a ${b',
    "a $'b",
    'a <<EOF',
    'a <<EOF\nb',
    'a &&',
    'a |',
    'a >',
    'a \\',
    '(a',
    '{ a;',
    'if a; then b',
    'for x in a; do b',
    'while a',
    'case a in b) c',
    '[[ -f a',
    'a)',
    'f()',
    '&& a',
    'a=(b',
    '! ',
    "bash -c 'a \"b'",
  ])('reports %j as incomplete', (text) => {
    expect(parseShell(text).complete).toBe(false);
  });

  it('still returns what can be parsed', () => {
    expect(outline('cd x && npm test "a')).toEqual(['cd·x', '&& npm·test·a']);
    expect(outline('if a; then b && c')).toEqual(['a', '; b', '&& c']);
    expect(firstCommand('cat <<EOF\nfirst\nsec').heredocs).toEqual(['first\nsec']);
  });

  it('stops at excessive nesting', () => {
    expect(parseShell('('.repeat(100_000)).complete).toBe(false);
    expect(outline(`${'( '.repeat(30)}a${')'.repeat(30)}`)).toEqual(['a']);
  });

  it('parses the first 64 KiB of a long text', () => {
    const script = parseShell('echo a\n'.repeat(700_000));
    expect(script.complete).toBe(false);
    expect(script.pipelines.length).toBe(Math.ceil((64 * 1024) / 'echo a\n'.length));
  });
});
