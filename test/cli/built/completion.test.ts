import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { playSessions, REDIS } from './agent.ts';
import { createPlace, environment, MAIN, type Place, yoreJson } from './run-yore.ts';
import { seed } from './seed.ts';

const has = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0;

/** A shell's environment in which `yore` is the built CLI. */
function shellEnvironment(place: Place): Record<string, string> {
  const bin = join(place.folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const command = join(bin, 'yore');
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`);
  chmodSync(command, 0o755);
  return environment(place, { PATH: `${bin}:${process.env.PATH}`, TERM: 'dumb' });
}

function run(shell: string, args: readonly string[], place: Place): string {
  const { stdout, stderr } = spawnSync(shell, args, {
    env: shellEnvironment(place),
    cwd: place.cwd,
    encoding: 'utf8',
    timeout: 25_000,
  });
  expect(stderr).toBe('');
  return stdout;
}

/** What each line can be completed to. */
type Completed = readonly (readonly string[])[];

function completeInBash(lines: readonly string[], place: Place): Completed {
  const program = `source <(yore completion bash)
for line in "$@"; do
  read -ra COMP_WORDS <<< "$line"
  [[ $line == *' ' ]] && COMP_WORDS+=('')
  COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
  _yore
  echo "\${COMPREPLY[@]}"
done`;
  return words(run('bash', ['--norc', '--noprofile', '-c', program, 'bash', ...lines], place));
}

function completeInFish(lines: readonly string[], place: Place): Completed {
  const program = `yore completion fish | source
for line in $argv
  echo (complete -C $line | string replace -r '\\t.*' '')
end`;
  return words(run('fish', ['--no-config', '-c', program, ...lines], place));
}

/** Types each line and a tab into an interactive zsh and reads back the last word of the line. */
function completeInZsh(lines: readonly string[], place: Place): Completed {
  const program = `zmodload zsh/zpty
zpty z 'COLUMNS=200 zsh -f -i'
zpty -w z "PROMPT='> '; unsetopt beep; autoload -U compinit; compinit -D -u; source <(yore completion zsh)"
zpty -w z "got() { print -r -- \\"got<\\$BUFFER>\\"; BUFFER=; zle reset-prompt }; zle -N got; bindkey '^T' got; echo rea''dy"
out=
while zpty -r z piece; do out+=$piece; [[ $out == *ready* ]] && break; done
for line in "$@"; do
  out=
  zpty -n -w z "$line"$'\\t\\x14'
  while zpty -r z piece; do out+=$piece; [[ $out == *'got<'*'>'* ]] && break; done
  print -r -- \${\${\${\${out##*got<}%%>*}% }##* }
done
zpty -d z`;
  return words(run('zsh', ['-f', '-c', program, 'zsh', ...lines], place));
}

function words(output: string): Completed {
  return output
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => line.split(' '));
}

const LINES: readonly (readonly [line: string, word: string])[] = [
  ['yore sea', 'search'],
  ['yore search --ro', '--role'],
  ['yore search --role us', 'user'],
  ['yore search redis --outcome fai', 'failure'],
  ['yore --home /tmp sess', 'sessions'],
  ['yore config ge', 'get'],
  ['yore config get prompts.si', 'prompts.size'],
  ['yore search --project my-', 'my-app'],
  ['yore help conf', 'config'],
  ['yore completion fi', 'fish'],
  ['yore dism', 'dismiss'],
  ['yore remember --av', '--avoid'],
];

const SHELLS = { bash: completeInBash, fish: completeInFish, zsh: completeInZsh };

describe('completion', () => {
  for (const [shell, complete] of Object.entries(SHELLS)) {
    it.skipIf(!has(shell))(`in ${shell} completes what is typed (needs ${shell})`, () => {
      const place = createPlace();
      seed(place);
      const completed = complete(
        LINES.map(([line]) => line),
        place,
      );
      expect(completed).toEqual(LINES.map(([, word]) => [word]));
    });
  }

  it.skipIf(!has('bash'))('in bash offers sessions, commands and nothing for free text (needs bash)', () => {
    const place = createPlace();
    const { redis, login } = seed(place);
    const [sessions, commands, nothing] = completeInBash(['yore show ', 'yore ', 'yore search --limit '], place);
    expect(sessions).toEqual([login, redis]);
    expect(commands).toEqual(expect.arrayContaining(['search', 'demo', 'help']));
    expect(nothing).toEqual(['']);
  });

  it.skipIf(!has('bash'))('in bash offers the ids of failures (needs bash)', () => {
    const place = createPlace();
    playSessions(place, [REDIS]);
    const { failures } = yoreJson(place, ['failures']) as { failures: { id: string }[] };
    const [first, second, third] = completeInBash(['yore dismiss ', 'yore pin f-', 'yore forget --pattern '], place);
    expect(failures).toHaveLength(1);
    for (const offered of [first, second, third]) expect(offered).toEqual(failures.map(({ id }) => id));
  });

  it.skipIf(!has('bash'))('never evaluates the name of a project (needs bash)', () => {
    const place = createPlace();
    const cwd = join(place.folder, '$(touch owned)');
    mkdirSync(cwd);
    seed({ ...place, cwd });
    expect(completeInBash(['yore search --project '], place)).toEqual([[expect.stringMatching(/^[0-9a-f]{8,}$/)]]);
    expect(existsSync(join(place.cwd, 'owned'))).toBe(false);
  });
});
