import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CanonicalCommand, canonicalCommands } from '../../../src/facts/shell/canonical.ts';
import { parseShell } from '../../../src/facts/shell/parse-shell.ts';
import { temporaryFolder } from '../../temp-folder.ts';
import { generateLines, generateWords } from './shell-lines.ts';

const bash = spawnSync('bash', ['--version'], { encoding: 'utf8' });
const hasBash = process.platform !== 'win32' && bash.status === 0 && bash.stdout.includes('GNU bash');

/** `p <id> <code>` records where it ran and exits with the code; `cd` creates its target and is recorded too. */
const PRELUDE = `
p() { printf '%s\\t%s\\t%s\\t%s\\n' "$LINE" "$1" "$2" "$PWD" >> "$NOTES"; return "$2"; }
cd() { printf '%s\\tcd\\n' "$LINE" >> "$NOTES"; [ "$1" = - ] || mkdir -p "$1"; builtin cd "$1" > /dev/null; }
export -f p cd
`;

/** Deep enough that no `cd ..` of a line leaves the temporary folder. */
const START = `/start${'/x'.repeat(12)}`;

interface Run {
  readonly exit: number;
  /** How often `cd` ran. */
  readonly moves: number;
  readonly notes: readonly { readonly id: string; readonly code: string; readonly folder: string }[];
}

/** Runs every line in a shell of its own. `/start` in it stands for a temporary folder. */
function runLines(lines: readonly string[]): readonly Run[] {
  const folder = temporaryFolder();
  const notes = join(folder, 'notes');
  const runs = lines.map((text, index) => {
    const file = join(folder, `line-${index}`);
    writeFileSync(file, text.replaceAll('/start', `${folder}/start`));
    const start = `mkdir -p "${folder}${START}"; builtin cd "${folder}${START}"`;
    return `( ${start}; export LINE=${index}; eval "$(< "${file}")" ) > /dev/null 2>&1; echo "exit $?"`;
  });
  const script = join(folder, 'run.sh');
  writeFileSync(script, `${PRELUDE}\n${runs.join('\n')}\n`);
  const ran = spawnSync('bash', [script], { encoding: 'utf8', env: { ...process.env, NOTES: notes } });
  const exits = ran.stdout.trim().split('\n');
  const rows = readFileSync(notes, 'utf8')
    .split('\n')
    .map((row) => row.split('\t'));
  return lines.map((_, index) => {
    const own = rows.filter((row) => row[0] === String(index));
    return {
      exit: Number(exits[index]?.slice('exit '.length)),
      moves: own.filter((row) => row[1] === 'cd').length,
      notes: own
        .filter((row) => row[1] !== 'cd')
        .map((row) => ({ id: row[1] ?? '', code: row[2] ?? '', folder: (row[3] ?? '').replace(folder, '') })),
    };
  });
}

function commandIn(text: string, id: string): CanonicalCommand {
  const found = canonicalCommands(text, START).find((each) => each.words[0] === 'p' && each.words[1] === id);
  return found ?? expect.fail(`command ${id} ran but was not found in ${JSON.stringify(text)}`);
}

describe.skipIf(!hasBash)('compared with bash', () => {
  const lines = generateLines(240);

  it('accepts every line that bash accepts', () => {
    const accepted = lines.slice(0, 80).filter((text) => spawnSync('bash', ['-n'], { input: text }).status === 0);
    expect(accepted.length).toBeGreaterThan(40);
    for (const text of accepted) if (!parseShell(text).complete) expect.fail(`bash accepts ${JSON.stringify(text)}`);
  });

  it('reads words as bash does', () => {
    const sources = generateWords(300);
    const printed = spawnSync('bash', ['-c', `printf '%s\\0' ${sources.join(' ')}`], {
      encoding: 'utf8',
    }).stdout;
    const read = parseShell(`run ${sources.join(' ')}`).pipelines[0]?.commands[0]?.words.slice(1);
    expect(read?.map((word) => word.text)).toEqual(printed.split('\0').slice(0, -1));
  });

  it('reports every command as piped or masked whose failure the exit code hides', () => {
    let judged = 0;
    for (const [index, { exit, notes }] of runLines(lines.slice(0, 150)).entries()) {
      const text = lines[index] ?? '';
      for (const { id } of notes.filter((note) => note.code !== '0')) {
        const { piped, masked } = commandIn(text, id);
        if (piped || masked) continue;
        judged += 1;
        if (exit === 0) expect.fail(`command ${id} failed unseen in ${JSON.stringify(text)}`);
      }
    }
    expect(judged).toBeGreaterThan(30);
  });

  it('finds the folder that each command runs in', () => {
    let judged = 0;
    for (const [index, { moves, notes }] of runLines(lines.slice(-100)).entries()) {
      const text = lines.slice(-100)[index] ?? '';
      if (moves !== (text.match(/\bcd /g) ?? []).length) continue;
      for (const { id, folder } of notes) {
        const command = commandIn(text, id);
        if (command.folder === undefined) continue;
        judged += 1;
        if (command.folder !== folder) {
          expect.fail(`command ${id} ran in ${folder}, not in ${command.folder}: ${JSON.stringify(text)}`);
        }
      }
    }
    expect(judged).toBeGreaterThan(100);
  });
});
