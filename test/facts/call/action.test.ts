import { expect, test } from 'vitest';
import { type Action, classifyCommand } from '../../../src/facts/call/action.ts';
import { analysed, command } from './calls.ts';

const TABLE: Readonly<Record<Action, readonly string[]>> = {
  install: [
    ...['npm install', 'npm i left-pad', 'npm ci', 'pnpm add x', 'yarn add x', 'bun add x', 'pip install x'],
    ...['python3 -m pip install x', 'uv add x', 'uv pip install x', 'poetry add x', 'cargo add x', 'go get x'],
    ...['go mod tidy', 'gem install x', 'bundle install', 'composer require a/b', 'dotnet restore'],
    ...['dotnet add package X', 'mix deps.get', 'brew install x', 'apt-get install -y x', 'mise install'],
  ],
  test: [
    ...['npm test', 'npm run test', 'npm run test:unit', 'pnpm test', 'yarn test', 'bun test', 'vitest run', 'jest'],
    ...['pytest -q', 'python -m pytest', 'python3 -m unittest', 'cargo test', 'go test ./...', 'mvn test', 'rspec'],
    ...['./gradlew test', 'dotnet test', 'mix test', 'make test', 'make check', 'just test', 'phpunit', 'ctest'],
  ],
  build: ['npm run build', 'tsc -p .', 'cargo build', 'go build ./...', 'mvn package', 'gradle assemble', 'make build'],
  lint: ['npm run lint', 'eslint .', 'cargo clippy', 'go vet ./...', 'ruff check', 'mypy src', 'npm run typecheck'],
  format: ['prettier --write .', 'cargo fmt', 'go fmt ./...', 'black .', 'npm run format', 'gofmt -w .'],
  commit: ['git commit -m x', 'git -C sub commit -m x', 'git -c a.b=c commit'],
  push: ['git push', 'git push origin main'],
  checkout: ['git checkout main', 'git switch -c x', 'git pull', 'git stash pop', 'git reset --hard', 'git merge x'],
  edit: ['rm a', 'mv a b', 'sed -i s/a/b/ c', 'git mv a b', 'patch -p1'],
  create: ['mkdir x', 'touch x', 'cp a b'],
  read: ['cat a', 'head -5 a', 'sed -n 1,5p a', 'jq . a', 'wc -l a'],
  search: ['grep x a', 'rg x', 'find . -name x', 'fd x', 'git grep x'],
  probe: ['ls', 'which go', 'test -f x', 'stat x', 'ps aux', 'diff a b', 'command -v go', 'git rev-parse HEAD'],
  run: ['node a.js', 'python a.py', './run', 'docker ps', 'git status', 'git add .', 'kubectl get po', 'npm run dev'],
};

test.each(Object.entries(TABLE).flatMap(([action, texts]) => texts.map((text) => [text, action] as const)))(
  '%s is: %s',
  (text, action) => {
    expect(command(text).action).toBe(action);
  },
);

test('classifies a chain by its most significant part', () => {
  expect(command('npm install && npm run build && npm test').action).toBe('test');
  expect(command('cd x && mkdir y && git commit -m z').action).toBe('commit');
  expect(command('cat a; ls').action).toBe('read');
});

test('classifies file tools as create, edit, read or search', () => {
  expect(analysed('Write', { file_path: '/x', content: '' }).action).toBe('create');
  expect(analysed('Edit', { file_path: '/x', old_string: 'a', new_string: 'b' }).action).toBe('edit');
  expect(analysed('apply_patch', { input: '*** Begin Patch' }).action).toBe('edit');
  expect(analysed('Read', { file_path: '/x' }).action).toBe('read');
  expect(analysed('Glob', { pattern: '*' }).action).toBe('search');
  expect(analysed('mcp__a__b', {}).action).toBe('run');
});

test('treats property names of objects as ordinary programs and subcommands', () => {
  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf']) {
    expect(classifyCommand([name, 'install'])).toBe('run');
    expect(classifyCommand(['git', name])).toBe('run');
    expect(classifyCommand(['npm', name])).toBe('run');
  }
  expect(classifyCommand([])).toBe('run');
});
