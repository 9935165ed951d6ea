/** How to find the command inside a command that runs another one. */
export interface Wrapper {
  /** Options that take the next word as their value. */
  readonly values?: readonly string[];
  /** Words between the options and the command: the seconds of `timeout`. */
  readonly operands?: number;
  /** `NAME=value` words may stand before the command. */
  readonly assigns?: boolean;
  /** With one of these options it runs nothing: `command -v`. */
  readonly queries?: readonly string[];
  /** The command comes after the first of these words, and only after one of them. */
  readonly after?: readonly string[];
}

const RUNNER: Wrapper = {};

/** Wrappers by program, with its subcommand where it has other uses. The key is what the circumstance is called. */
export const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  env: { values: ['-u', '--unset', '-C', '--chdir', '-P'], assigns: true },
  timeout: { values: ['-s', '--signal', '-k', '--kill-after'], operands: 1 },
  gtimeout: { values: ['-s', '--signal', '-k', '--kill-after'], operands: 1 },
  sudo: {
    values: [
      '-u',
      '--user',
      '-g',
      '--group',
      '-h',
      '--host',
      '-p',
      '--prompt',
      '-C',
      '-D',
      '--chdir',
      '-R',
      '-T',
      '-U',
    ],
    assigns: true,
    queries: ['-l', '--list', '-v', '--validate', '-k', '-K', '-V', '--version', '-e', '--edit'],
  },
  doas: { values: ['-u', '-C'] },
  nohup: {},
  time: { values: ['-f', '--format', '-o', '--output'] },
  gtime: { values: ['-f', '--format', '-o', '--output'] },
  nice: { values: ['-n', '--adjustment'] },
  ionice: { values: ['-c', '--class', '-n', '--classdata'], queries: ['-p', '--pid'] },
  chrt: { operands: 1, queries: ['-p', '--pid'] },
  taskset: { operands: 1, queries: ['-p', '--pid'] },
  stdbuf: { values: ['-i', '--input', '-o', '--output', '-e', '--error'] },
  unbuffer: {},
  setsid: {},
  caffeinate: { values: ['-t', '-w'] },
  arch: {},
  flock: { values: ['-w', '--wait', '--timeout', '-E'], operands: 1 },
  'xvfb-run': { values: ['-n', '--server-num', '-s', '--server-args', '-e', '-f', '-p', '-w'] },
  command: { queries: ['-v', '-V'] },
  exec: { values: ['-a'] },
  builtin: {},
  noglob: {},
  nocorrect: {},
  xargs: {
    values: [
      '-I',
      '-n',
      '-P',
      '-L',
      '-d',
      '-E',
      '-s',
      '-a',
      '-J',
      '-R',
      '--max-args',
      '--max-procs',
      '--delimiter',
      '--replace',
      '--arg-file',
      '--max-lines',
    ],
  },
  'cross-env': { assigns: true },
  dotenv: { values: ['-e', '-c', '-f', '-v'], assigns: true },
  'dotenvx run': { values: ['-f', '--env-file', '-e', '--env'] },
  npx: { values: ['-p', '--package', '-w', '--workspace'], queries: ['-c', '--call', '--version', '-v'] },
  bunx: { values: ['-p', '--package'] },
  pnpx: { values: ['-p', '--package'] },
  uvx: {
    values: ['--from', '--with', '-p', '--python', '--with-editable', '--with-requirements', '--index-url'],
  },
  'npm exec': { values: ['-p', '--package', '-w', '--workspace'], queries: ['-c', '--call'] },
  'npm x': { values: ['-p', '--package', '-w', '--workspace'], queries: ['-c', '--call'] },
  'bun x': { values: ['-p', '--package'] },
  'pnpm exec': { values: ['-C', '--dir', '-F', '--filter'], queries: ['-c', '--shell-mode'] },
  'pnpm dlx': { values: ['--package', '-C', '--dir'], queries: ['-c', '--shell-mode'] },
  'yarn exec': RUNNER,
  'yarn dlx': { values: ['-p', '--package'] },
  corepack: {
    queries: ['enable', 'disable', 'prepare', 'use', 'install', 'up', 'cache', 'pack', '--version', '-v'],
  },
  'uv run': {
    values: [
      '--with',
      '--with-editable',
      '--with-requirements',
      '-p',
      '--python',
      '--extra',
      '--group',
      '--only-group',
      '--no-group',
      '--env-file',
      '--directory',
      '--project',
      '--package',
      '--index',
      '--index-url',
      '--extra-index-url',
    ],
    queries: ['-m', '--module', '-s', '--script'],
  },
  'uv tool run': { values: ['--from', '--with', '-p', '--python'] },
  'poetry run': RUNNER,
  'pipenv run': RUNNER,
  'pdm run': { values: ['-p', '--project'] },
  'hatch run': RUNNER,
  'rye run': RUNNER,
  'pixi run': { values: ['-e', '--environment', '--manifest-path'] },
  'pipx run': { values: ['--spec', '--python', '--pip-args'] },
  'conda run': { values: ['-n', '--name', '-p', '--prefix', '--cwd'] },
  'mamba run': { values: ['-n', '--name', '-p', '--prefix', '--cwd'] },
  'bundle exec': RUNNER,
  'rbenv exec': RUNNER,
  'pyenv exec': RUNNER,
  'asdf exec': RUNNER,
  'mise exec': { after: ['--', '-c', '--command'] },
  'mise x': { after: ['--', '-c', '--command'] },
  'devbox run': { after: ['--'] },
  'direnv exec': { operands: 1 },
  'nix develop': { after: ['-c', '--command'] },
  'nix shell': { after: ['-c', '--command'] },
  'op run': { after: ['--'] },
  'doppler run': { after: ['--'] },
};

/** The longest key of the table, in words. */
export const MAX_WRAPPER_WORDS = 3;
