import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalCommands, hidesExitCode } from '../../../src/facts/shell/canonical.ts';
import { parseShell } from '../../../src/facts/shell/parse-shell.ts';

const PIECES = [
  ...`a b cd .. A=1 x=( 'q' "d $v" $( ) \` \${ } { ( (( )) [[ ]] if then else fi for in do done while case esac ;; function f() `.split(
    ' ',
  ),
  ...`&& || | |& & ; ! > >> 2>&1 &> < <<< <(x) <<E E # \\ ' " $ * {a,b} bash -c eval exit set -e sudo env npx \0 é 💥`.split(
    ' ',
  ),
  '\n',
  '\r\n',
  '\t',
  ' ',
];

/** Text that exercises every part of the parser, mostly malformed. */
const shellLike = fc
  .array(fc.tuple(fc.constantFrom(...PIECES), fc.constantFrom('', ' ')), { maxLength: 60 })
  .map((pairs) => pairs.flat().join(''));

const anyText = fc.oneof(shellLike, fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ maxLength: 300 }));

function read(text: string): void {
  parseShell(text);
  canonicalCommands(text, '/p');
  hidesExitCode(text);
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

describe('properties of the parser', () => {
  it('never throws, whatever the text', () => {
    fc.assert(fc.property(anyText, read), { numRuns: 1000 });
  });

  it('never throws on a truncated script', () => {
    const script = `set -e\nfor f in $(ls "a b"); do [[ -f $f ]] && x <<-'E' | tail || { y; exit 1; }\n\tz\n\tE\ndone\ncase $1 in a|b) bash -lc "cd q && echo \\"$(w \`v\`)\\"";; *) A=(1 2) sudo npx \${t:-'u'} &>l & esac\nf() ( cat <(g) $'\\n' )`;
    expect(parseShell(script).complete).toBe(true);
    for (let end = 0; end < script.length; end += 1) read(script.slice(0, end));
  });

  it('reads quoted words back as they were', () => {
    const words = fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(words, (expected) => {
        const { pipelines, complete } = parseShell(['run', ...expected.map(quote)].join(' '));
        expect(complete).toBe(true);
        expect(pipelines.length).toBe(1);
        expect(pipelines[0]?.commands[0]?.words.slice(1).map((word) => word.text)).toEqual(expected);
      }),
    );
  });

  it('reads the same words however they are quoted', () => {
    const doubled = (word: string) => `"${word.replace(/[\\"$`]/g, '\\$&')}"`;
    const escaped = (word: string) => word.replace(/[^\n]/gu, '\\$&').replaceAll('\n', "'\n'");
    const ansi = (word: string) => `$'${word.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`;
    const words = fc.array(fc.tuple(fc.string({ minLength: 1 }), fc.constantFrom(quote, doubled, escaped, ansi)), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(words, (pairs) => {
        const text = `run ${pairs.map(([word, form]) => form(word)).join('  ')}`;
        const found = parseShell(text).pipelines[0]?.commands[0]?.words.slice(1);
        expect(found?.map((word) => word.text)).toEqual(pairs.map(([word]) => word));
        expect(found?.every((word) => word.quoted && !word.expands)).toBe(true);
      }),
    );
  });

  it('parses the joined sources of words into the same words', () => {
    fc.assert(
      fc.property(shellLike, (text) => {
        for (const command of parseShell(text).pipelines.flatMap((pipeline) => pipeline.commands)) {
          const line = `run ${command.words.map((word) => word.source).join(' ')}`;
          const again = parseShell(line);
          fc.pre(again.complete && !/\[\[|\(\(|<</.test(line));
          const words = again.pipelines.at(-1)?.commands.at(-1)?.words.slice(1);
          expect(words?.map((word) => word.text)).toEqual(command.words.map((word) => word.text));
        }
      }),
    );
  });

  it.each(
    [
      ...['(', '((', '$(', '$((', '${', '`', '"', "'", '"$(', '{ ', 'if ', 'while a; do ', 'case a in ', 'f() '],
      ...['<<E ', '<<E\n', '[', '{a', '@(', 'a@(', 'a=(', '\\`', '! ', '[[ ', "$'\\", '<(', '2>&1 ', '((a);', ')'],
      ...['a && ', 'a | ', 'a;', 'a&', 'cd a;', 'pushd a;', 'export A=1;', 'x=$?;', 'sudo ', 'bash -c "', 'eval '],
    ].map((piece) => [piece]),
  )('comes to an end on 16 KiB of %j', (piece) => {
    read(piece.repeat(Math.ceil((16 * 1024) / piece.length)).slice(0, 16 * 1024));
  });
});
