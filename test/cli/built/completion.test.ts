import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createPlace, environment, MAIN, type Place, yore } from './run-yore.ts';
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

function completeInBash(line: string, place: Place): string[] {
  const program = `source <(yore completion bash)
line="$1"
read -ra COMP_WORDS <<< "$line"
[[ $line == *' ' ]] && COMP_WORDS+=('')
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
_yore
printf '%s\\n' "\${COMPREPLY[@]}"`;
  return run('bash', ['--norc', '--noprofile', '-c', program, 'bash', line], place).trim().split('\n');
}

function completeInFish(line: string, place: Place): string[] {
  const program = `yore completion fish | source; complete -C ${JSON.stringify(line)}`;
  const lines = run('fish', ['--no-config', '-c', program], place).trimEnd().split('\n');
  return lines.map((each) => each.split('\t')[0] ?? '');
}

/** Types a line and a tab into an interactive zsh and reads back what stands on the line then. */
function completeInZsh(line: string, place: Place): string {
  const program = `zmodload zsh/zpty
zpty z 'COLUMNS=200 zsh -f -i'
zpty -w z "PROMPT='> '; unsetopt beep; autoload -U compinit; compinit -D -u; source <(yore completion zsh)"
zpty -w z "got() { print -r -- \\"got<\\$BUFFER>\\"; }; zle -N got; bindkey '^T' got; echo rea''dy"
out=
while zpty -r z piece; do out+=$piece; [[ $out == *ready* ]] && break; done
out=
zpty -n -w z "$1"$'\\t\\x14'
while zpty -r z piece; do out+=$piece; [[ $out == *'got<'*'>'* ]] && break; done
print -r -- \${\${out##*got<}%%>*}
zpty -d z`;
  return run('zsh', ['-f', '-c', program, 'zsh', line], place).trim();
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
];

describe('completion', () => {
  it.skipIf(!has('bash')).each(LINES)('in bash goes on from "%s" to %s', (line, word) => {
    const place = createPlace();
    seed(place);
    expect(completeInBash(line, place)).toEqual([word]);
  });

  it.skipIf(!has('bash'))('in bash offers sessions, commands and nothing for free text', () => {
    const place = createPlace();
    const { redis, login } = seed(place);
    expect(completeInBash('yore show ', place)).toEqual([login, redis]);
    expect(completeInBash('yore ', place)).toEqual(expect.arrayContaining(['search', 'demo', 'help']));
    expect(completeInBash('yore search --limit ', place)).toEqual(['']);
  });

  it.skipIf(!has('fish')).each(LINES)('in fish goes on from "%s" to %s', (line, word) => {
    const place = createPlace();
    seed(place);
    expect(completeInFish(line, place)).toEqual([word]);
  });

  it.skipIf(!has('zsh')).each(LINES)('in zsh goes on from "%s" to %s', (line, word) => {
    const place = createPlace();
    seed(place);
    expect(completeInZsh(line, place)).toBe(`${line.replace(/\S+$/, '')}${word}`);
  });

  it.skipIf(!has('bash'))('never evaluates what a project is called', () => {
    const place = createPlace();
    const cwd = join(place.folder, '$(touch owned)');
    mkdirSync(cwd);
    seed({ ...place, cwd });
    const words = completeInBash('yore search --project ', place);
    expect(words).toHaveLength(1);
    expect(words[0]).toMatch(/^[0-9a-f]{8,}$/);
    expect(yore(place, ['completion', '--values', 'projects']).stdout).not.toContain('$');
  });
});
