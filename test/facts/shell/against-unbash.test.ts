import { forEachChild, parse, type SyntaxNode } from 'unbash';
import { describe, expect, it } from 'vitest';
import { parseTree } from '../../../src/facts/shell/parser.ts';
import type { CommandNode, GroupNode, ListNode } from '../../../src/facts/shell/tree.ts';
import { generateLines, generateWords } from './shell-lines.ts';

/** Commands as agents write them. */
const LINES = [
  'npm test',
  'npm ci && npm run build -- --mode=production',
  'cd web && CI=1 npx vitest run 2>&1 | tail -20',
  'npm test > /tmp/log 2>&1; code=$?; tail -50 /tmp/log; exit $code',
  'make -j8 2>/dev/null || { echo failed >&2; exit 1; }',
  'git add -A && git commit -m "fix: a \\"quoted\\" word" && git push',
  `git commit -m "$(cat <<'EOF'\nfeat: x\n\n- body with $dollar and 'quotes'\nEOF\n)"`,
  `cat > src/a.ts <<'EOF'\nexport const a = \`\${b}\`;\nEOF\nnode src/a.ts`,
  'cat <<-EOF | sort\n\tb\n\ta\n\tEOF',
  'cat <<A <<B\n1\nA\n2\nB',
  'python - <<PY\nprint("x; y && z")\nPY',
  `python3 -c 'import sys; print(sys.argv[1:])' a "b c" d\\ e`,
  `node -e "console.log(JSON.stringify({a: 1, b: '2'}))"`,
  `sed -i '' -e 's/a|b/c\\/d/g' "$FILE"`,
  `awk -F: '{ print $1, $NF }' /etc/passwd | sort -u`,
  `find . -name '*.ts' -not -path './node_modules/*' -exec grep -l TODO {} \\;`,
  `find . -type f \\( -name '*.js' -o -name '*.jsx' \\) -print0 | xargs -0 wc -l`,
  `grep -rn "foo bar" --include='*.ts' src | head -50`,
  'rg -n "a\\|b" -g "!dist" || true',
  'for f in $(git ls-files "*.ts"); do npx prettier --check "$f" || exit 1; done',
  'for ((i = 0; i < 3; i++)); do echo $i; done',
  'while read -r line; do echo "$line"; done < <(git log --oneline)',
  'until curl -sf localhost:3000/health; do sleep 1; done',
  'if ! command -v jq >/dev/null 2>&1; then brew install jq; fi',
  'if [ -f package.json ] && [ -d node_modules ]; then npm test; elif test -f go.mod; then go test ./...; else make; fi',
  '[[ -f a && ( $b =~ ^(x|y)$ || c < d ) ]] && run',
  '(( n > 3 )) && echo many',
  'case "$1" in start|stop) systemctl "$1" app ;; *) usage; exit 2 ;; esac',
  'function deploy { ssh host "cd /srv && git pull"; }; deploy',
  'deploy() { rsync -a dist/ "$HOST":/srv/; }; HOST=a deploy',
  '(cd packages/a && npm test) && (cd packages/b && npm test)',
  '{ npm run lint; npm test; } 2>&1 | tee out.log | grep -v warn',
  'docker run --rm -v "$PWD":/app -w /app node:20 sh -c "npm ci && npm test"',
  'docker compose -f dev.yml up -d db && sleep 3 && npm run migrate',
  `bash -lc 'cd web && npm test' | tail -5`,
  `ssh host <<'EOF'\ncd /srv\n./restart.sh\nEOF`,
  'echo "a $(b "c $(d e)" f) g"',
  'echo `date +%s` `ls \\`pwd\\``',
  'X=$(git rev-parse HEAD) Y=1 env',
  `files=(a b "c d" $(ls)); echo "\${files[@]}" \${#files[@]}`,
  'declare -A map=([a]=1 [b]=2)',
  'export PATH="$HOME/bin:$PATH" NODE_ENV=test',
  `echo \${a:-default} \${b#"}"} \${c//x/y} \${d:1:2} "\${e:-$(f)}"`,
  'echo $((1 + 2 * (3 - 1))) $(( a[0] ))',
  `printf '%s\\n' a 'b' "c" $'d\\te' | cat -A`,
  'ls *.{js,ts} src/**/[a-z]?.md !(x|y) @(a|b)',
  'diff <(sort a) <(sort b) > >(tee diff.txt)',
  'exec 3>&1 4<in {fd}>out; echo hi >&3; exec 3>&- 4<&-',
  'cmd &> all.log; cmd &>> all.log; cmd >| force; cmd <> both; cmd <<< "here $x"',
  'sleep 10 & pid=$!; wait $pid; kill %1',
  'a && b || c; d & e | f |& g; ! h | i',
  'echo a#b # comment; not a command\necho c',
  'echo "multi\nline" \\\n  continued \\\n  more',
  "echo 'it'\\''s' \"x\"'y'z",
  'test "$a" = b -o ! -e c',
  'gh pr list --json number,title --jq \'.[] | select(.title | test("x")) | .number\'',
  'curl -s -X POST -H "Content-Type: application/json" -d \'{"a": [1, 2], "b": "c"}\' "$URL?x=1&y=2"',
  'psql "$DB" -c "select * from t where a = \'b\' and c > 1;" -At | cut -d"|" -f1',
  'kubectl get pods -o jsonpath=\'{.items[*].metadata.name}\' | tr " " "\\n"',
  'tar czf - src | ssh host "tar xzf - -C /tmp"',
  'select x in a b; do echo $x; break; done',
];

/** Lines that the two parsers read differently, and why that is intended. */
const DIFFERENCES: readonly (readonly [line: string, reason: string])[] = [
  ['make \\\r\n  test', 'unbash reads a carriage return as a character, as bash does; agents on Windows write CRLF'],
  ['a\r\nb', 'the same for the end of a line'],
  ['time -p make', '`time` is a keyword in bash; here it is a wrapper like `timeout`'],
  ['coproc cat; echo x', '`coproc` is not supported; it is read as a program'],
  ['a <<EOF\nb', 'a heredoc without its end is valid in bash; here the line counts as truncated'],
  ['a \\', 'the same for a backslash at the end'],
];

interface Commands {
  readonly isComplete: boolean;
  /** Sorted: assignments, words as written, redirections, heredocs. */
  readonly commands: readonly string[];
}

function readWithParser(text: string): Commands {
  const { list, complete } = parseTree(text);
  const commands: string[] = [];
  const visitList = (inner: ListNode): void => {
    for (const { stages } of inner.pipelines) stages.forEach(visit);
  };
  const visit = (node: CommandNode | GroupNode): void => {
    node.substitutions.forEach(visitList);
    if (node.kind !== 'command') for (const part of node.parts) visitList(part.list);
    else if (!/^(?:\[\[$|\(\()/.test(node.words[0]?.source ?? ''))
      commands.push(
        JSON.stringify([
          node.assignments.map(({ name }) => name),
          node.words.map(({ source }) => source),
          node.redirections.map(({ operator, target }) => operator + target),
          node.heredocs.map((body) => body.trim()),
        ]),
      );
  };
  visitList(list);
  return { isComplete: complete, commands: commands.sort() };
}

function readWithUnbash(text: string): Commands {
  const script = parse(text);
  const commands: string[] = [];
  const visit = (node: SyntaxNode): void => {
    forEachChild(node, visit);
    if (node.type !== 'Command') return;
    const redirects = node.redirects.map((redirect) => {
      const { descriptor, operator } = redirect;
      const from = descriptor === undefined ? '' : 'value' in descriptor ? descriptor.value : `{${descriptor.name}}`;
      const target = redirect.type === 'HereDoc' ? redirect.delimiter : redirect.target;
      return `${from}${operator}${target?.value ?? ''}`;
    });
    const bodies = node.redirects.flatMap((redirect) =>
      redirect.type === 'HereDoc' ? [redirect.body.text.replace(/^\t+/gm, '').trim()] : [],
    );
    commands.push(
      JSON.stringify([
        node.prefix.flatMap((part) => (part.type === 'Assignment' ? [part.name] : [])),
        [...(node.name === undefined ? [] : [node.name.text]), ...node.args.map((word) => word.text)],
        redirects,
        bodies,
      ]),
    );
  };
  visit(script);
  return { isComplete: (script.errors ?? []).length === 0, commands: commands.sort() };
}

describe('compared with unbash', () => {
  it.each(LINES)('reads the same commands in %j', (line) => {
    expect(readWithParser(line)).toEqual(readWithUnbash(line));
  });

  it('reads the same commands in generated lines', () => {
    const valid = generateLines(500)
      .map((line) => line.replaceAll('time p', 'p'))
      // Bash accepts `!` only before a whole pipeline.
      .filter((line) => !line.includes('| ! '));
    expect(valid.length).toBeGreaterThan(300);
    for (const line of valid) expect(readWithParser(line), line).toEqual(readWithUnbash(line));
  });

  it('reads the same words in generated quotations', () => {
    const line = `run ${generateWords(300).join(' ')}`;
    expect(readWithParser(line)).toEqual(readWithUnbash(line));
  });

  it.each(DIFFERENCES)('differs in %j: %s', (line) => {
    expect(readWithParser(line)).not.toEqual(readWithUnbash(line));
  });
});
