import { describe, expect, it } from 'vitest';
import { parseShell } from '../../../src/facts/shell/parse-shell.ts';
import { unwrapCommand } from '../../../src/facts/shell/unwrap.ts';

function unwrap(text: string): [string, string[]] {
  const command = parseShell(text).pipelines.at(-1)?.commands.at(-1);
  if (command === undefined) throw new Error(`no command in ${text}`);
  const { words, circumstances } = unwrapCommand(command);
  return [words.map((word) => word.text).join(' '), [...circumstances]];
}

describe('unwrapCommand', () => {
  it.each<[string, string, string[]]>([
    ['npm test', 'npm test', []],
    ['CI=1 FOO="a b" npm test', 'npm test', ['env:CI', 'env:FOO']],
    ['env CI=1 npm test', 'npm test', ['env:CI']],
    ['env -i -u HOME npm test', 'npm test', ['env']],
    ['/usr/bin/env node x.js', 'node x.js', ['env']],
    ['timeout 60 npm test', 'npm test', ['timeout']],
    ['timeout -k 5 --signal=KILL 60s npm test', 'npm test', ['timeout']],
    ['timeout --foreground -s INT 1m make', 'make', ['timeout']],
    ['gtimeout 60 make', 'make', ['gtimeout']],
    ['sudo -u www -E A=1 systemctl restart x', 'systemctl restart x', ['sudo', 'env:A']],
    ['sudo -- make install', 'make install', ['sudo']],
    ['doas -u x make', 'make', ['doas']],
    ['nohup make', 'make', ['nohup']],
    ['time -p make', 'make', ['time']],
    ['nice -n 10 make', 'make', ['nice']],
    ['nice -10 make', 'make', ['nice']],
    ['ionice -c 3 make', 'make', ['ionice']],
    ['stdbuf -oL -e 0 make', 'make', ['stdbuf']],
    ['command make', 'make', ['command']],
    ['exec -a name make', 'make', ['exec']],
    ['builtin cd x', 'cd x', ['builtin']],
    ['find . | xargs -0 -n 1 -I {} rm -f {}', 'rm -f {}', ['xargs']],
    ['npx vitest run', 'vitest run', ['npx']],
    ['npx -y --package=typescript tsc', 'tsc', ['npx']],
    ['npx -p typescript tsc', 'tsc', ['npx']],
    ['npm exec -- tsc -p .', 'tsc -p .', ['npm exec']],
    ['bunx tsc', 'tsc', ['bunx']],
    ['pnpm exec tsc', 'tsc', ['pnpm exec']],
    ['pnpm dlx create-vite', 'create-vite', ['pnpm dlx']],
    ['yarn dlx create-vite', 'create-vite', ['yarn dlx']],
    ['uv run --with rich --python 3.12 pytest -q', 'pytest -q', ['uv run']],
    ['uv run python -m pytest', 'python -m pytest', ['uv run']],
    ['uv tool run ruff check', 'ruff check', ['uv tool run']],
    ['poetry run pytest', 'pytest', ['poetry run']],
    ['pipenv run pytest', 'pytest', ['pipenv run']],
    ['hatch run test', 'test', ['hatch run']],
    ['rye run pytest', 'pytest', ['rye run']],
    ['bundle exec rspec', 'rspec', ['bundle exec']],
    ['mise exec node@20 -- node x.js', 'node x.js', ['mise exec']],
    ['direnv exec . make', 'make', ['direnv exec']],
    ['nix develop .#ci -c make test', 'make test', ['nix develop']],
    ['CI=1 timeout 9 sudo npx tsc', 'tsc', ['env:CI', 'timeout', 'sudo', 'npx']],
    ["sudo bash -lc 'A=1 make'", 'make', ['sudo', 'sh -c', 'env:A']],
  ])('finds the command in %j', (text, command, circumstances) => {
    expect(unwrap(text)).toEqual([command, circumstances]);
  });

  it.each([
    'python -m pytest',
    'docker exec -it web ls',
    'docker compose exec web ls',
    'npm run test',
    'yarn test',
    'pnpm test',
    'uv pip install x',
    'command -v node',
    'sudo -l',
    'env',
    'time',
    'timeout 60',
    'xargs',
    'nix develop',
    'mise exec',
    'uv run -m pytest',
    'npx -c "a b"',
    'exec',
  ])('does not unwrap %j', (text) => {
    expect(unwrap(text)).toEqual([text.replaceAll('"', ''), []]);
  });

  it('never keeps the value of an assignment', () => {
    expect(JSON.stringify(unwrap('TOKEN=hidden env OTHER=hidden2 make')[1])).not.toContain('hidden');
  });
});
