import { describe, expect, it } from 'vitest';
import { findSingleCommand, recogniseCommands } from '../../src/facts/commands/recognise-commands.ts';

const known: readonly (readonly [line: string, fact: string, value: string])[] = [
  ['npm t', 'testCommand', 'npm test'],
  ['npm run -s build', 'buildCommand', 'npm run build'],
  ['CI=1 timeout 60 yarn test --watch=false', 'testCommand', 'yarn test'],
  ['pnpm -r test', 'testCommand', 'pnpm -r test'],
  ['pnpm vitest run', 'testCommand', 'pnpm vitest run'],
  ['npx -y eslint src --fix', 'lintCommand', 'npx eslint .'],
  ['bunx prettier --write src', 'formatCommand', 'bunx prettier --write .'],
  ['uv run python -m pytest -x', 'testCommand', 'uv run python -m pytest'],
  ['uv run -m pytest -q', 'testCommand', 'uv run -m pytest'],
  ['.venv/bin/pytest -q', 'testCommand', '.venv/bin/pytest'],
  ['/usr/local/bin/pytest', 'testCommand', 'pytest'],
  ['python -m unittest', 'testCommand', 'python -m unittest'],
  ['go test -run TestX ./pkg/...', 'testCommand', 'go test ./...'],
  ['cargo fmt', 'formatCommand', 'cargo fmt'],
  ['./gradlew test --info', 'testCommand', './gradlew test'],
  ['bundle exec rake test', 'testCommand', 'bundle exec rake test'],
  ['make -j8 test', 'testCommand', 'make test'],
  ['vendor/bin/phpunit --filter X', 'testCommand', 'vendor/bin/phpunit'],
  ['npm ci', 'packageManager', 'npm'],
  ['yarn', 'packageManager', 'yarn'],
  ['python3 -m pip install -r requirements.txt', 'packageManager', 'pip'],
  ['uv pip install x', 'packageManager', 'uv'],
];

const unknown: readonly string[] = [
  'ls -la',
  'echo "npm test"',
  'grep -rn "cargo test" .',
  'cat x | npm test',
  'npm test || true',
  'npm install -g x',
  'tsc --noEmit',
  'cargo fmt --check',
  'pytest --version',
  'npm build',
  'build',
  'git commit -m "run make test && go test"',
  'make -C',
  'cat > notes.md <<EOF\nnpm test\nEOF',
  'git commit -m "$(cat <<EOF\nRun go test ./...\nEOF\n)"',
  'npm test &',
  '',
];

describe('a command', () => {
  it.each(known)('%s is recognised', (line, fact, value) => {
    expect(recogniseCommands(line)).toEqual([expect.objectContaining({ fact, value })]);
  });

  it.each(unknown)('%s is not recognised', (line) => {
    expect(recogniseCommands(line)).toEqual([]);
  });

  it('is found in a chain, with its folder', () => {
    const uses = recogniseCommands('cd web && npm ci && npm run build > out.txt 2>&1; npm --prefix api test');
    expect(uses.map(({ value, folder }) => [value, folder])).toEqual([
      ['npm', 'web'],
      ['npm run build', 'web'],
      ['npm test', 'web/api'],
    ]);
    expect(recogniseCommands('cd ../web && npm test', 'api')[0]?.folder).toBe('web');
    const subshell = recogniseCommands('(cd web && npm test) && npm run build');
    expect(subshell.map(({ folder }) => folder)).toEqual(['web', '']);
  });

  it('is whole unless it is narrowed to files, tests or packages', () => {
    const whole = (line: string) => recogniseCommands(line)[0]?.whole;
    expect(['pytest', 'pytest -q', 'go test ./...', 'npm test', 'eslint .'].map(whole)).not.toContain(false);
    const narrowed = [
      'pytest tests/a.py',
      'pytest -k name',
      'go test ./pkg',
      'npm test -- a.test.ts',
      'pnpm --filter x test',
    ];
    expect(narrowed.map(whole)).not.toContain(true);
  });
});

it.each([
  ['mise run test:ci 2>&1 | tail -20', 'mise run test:ci'],
  ['make smoke', 'make smoke'],
  ['python scripts/check.py --all', 'python scripts/check.py'],
  ['./test.sh fast', './test.sh'],
])('names an unknown command by what it runs: %s', (line, value) => {
  expect(findSingleCommand(line)).toMatchObject({ value });
});
