import { describe, expect, it } from 'vitest';
import { recogniseCommands } from '../../src/facts/commands/recognise-commands.ts';

const known: readonly (readonly [line: string, fact: string, value: string])[] = [
  ['npm t', 'testCommand', 'npm test'],
  ['npm run -s build', 'buildCommand', 'npm run build'],
  ['CI=1 timeout 60 yarn test --watch=false', 'testCommand', 'yarn test'],
  ['pnpm -r test', 'testCommand', 'pnpm -r test'],
  ['pnpm vitest run', 'testCommand', 'pnpm vitest run'],
  ['npx -y eslint src --fix', 'lintCommand', 'npx eslint src'],
  ['bunx prettier --write src', 'formatCommand', 'bunx prettier --write src'],
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
  ['npx tsc --noEmit -p .', 'typecheckCommand', 'npx tsc --noEmit'],
  ['bun run typecheck', 'typecheckCommand', 'bun run typecheck'],
  ['npm start', 'runCommand', 'npm start'],
  ['go run ./cmd/server --port 80', 'runCommand', 'go run ./cmd/server'],
  ['cargo run -- serve', 'runCommand', 'cargo run'],
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
  'cargo fmt --check',
  'pytest --version',
  'npm build',
  'npm publish',
  'go run ./tools/generate.go',
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
    expect(recogniseCommands('cd ../web && npm test', { folder: 'api' })[0]?.folder).toBe('web');
    const subshell = recogniseCommands('(cd web && npm test) && npm run build');
    expect(subshell.map(({ folder }) => folder)).toEqual(['web', '']);
  });

  it('is not found outside the checkout', () => {
    const root = '/home/*/shop';
    const folders = (line: string) => recogniseCommands(line, { root }).map(({ folder }) => folder);
    expect(folders('cd /home/*/shop && npm test')).toEqual(['']);
    expect(folders('cd /home/*/shop/web && npm test')).toEqual(['web']);
    for (const place of ['/home/*/other', '/tmp/try', '..', '~/other', '"$WORK"'])
      expect(folders(`cd ${place} && npm test`)).toEqual([]);
  });

  it('is whole unless it is narrowed to files, tests or packages', () => {
    const whole = (line: string) => recogniseCommands(line)[0]?.whole;
    const all = ['pytest', 'pytest -q tests/', 'pytest -n 4', 'go test ./...', 'npm test', 'eslint . --ext ts,tsx'];
    expect(all.map(whole)).not.toContain(false);
    const narrowed = [
      'pytest tests/a.py',
      'pytest -k name',
      'go test ./pkg',
      'npm test -- a.test.ts',
      'pnpm --filter x test',
      'dotnet run --project tools/Seed',
      'gradle build publish',
    ];
    expect(narrowed.map(whole)).not.toContain(true);
  });
});
