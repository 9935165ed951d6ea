import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyCommand } from '../../src/facts/call/action.ts';
import { type FailedCall, replaces, type TriedCall } from '../../src/facts/same-job.ts';

function worked(what: string, call: Partial<TriedCall> = {}): TriedCall {
  const action = classifyCommand(what.split(' '));
  return { at: 0, what, family: 'shell', action, path: '', signature: 0, request: 'one', ...call };
}

function failed(what: string, failure: Partial<FailedCall> = {}): FailedCall {
  const nothing = {
    class: 'unknown',
    causes: [],
    line: '',
    missing: undefined,
    subjects: [],
    suggestion: undefined,
  } as const;
  return { ...worked(what), ...nothing, ...failure };
}

describe('a command replaces another one', () => {
  it.each([
    ['npm install redis-node', 'bun add ioredis'],
    ['gh pr diff 12 --stat', 'gh pr diff 12 --name-only'],
    ['git push', 'git push --set-upstream origin topic'],
    ['python tools/report.py --year 24', 'python tools/report.py --year 2024'],
    ['make lint && npm run build', 'npm run build -- --no-cache'],
    ['npm run test:unit', 'npx vitest run'],
    ['python run.py --all', 'python3 run.py --all'],
    ['scripts/deploy.sh --to config/a.yml', 'tools/deploy.sh --to config/a.yml'],
    ['docker-compose up -d', 'docker compose up -d'],
    ['docker-compose up -d', 'docker compose up'],
    ['psql -f a.sql', 'docker compose exec -T db psql -f a.sql'],
    ['npm run test:integration', 'npm run test:e2e'],
    ['node scripts/seed.ts', 'pnpm tsx scripts/seed.ts'],
    ['curl -f http://localhost:3000/health', 'npm start & sleep 2; curl -f http://localhost:3000/health'],
    ['a --set x=1 && deploy site', 'a --put x=1 && deploy site'],
  ])('%s is replaced by %s', (before, after) => {
    expect(replaces(failed(before), worked(after))).toBe(true);
  });

  it.each([
    ['npm run build', 'npm run test'],
    ['gh pr diff 12 --stat', 'gh issue list'],
    ['npm install redis-node', 'npm test'],
    ['cat notes/a.txt', 'cat notes/b.txt'],
    ['npm run build', 'npm run build'],
    ['npm install redis-node', 'npm uninstall redis-node'],
    ['npm install redis-node', 'pip install redis'],
    ['npm install redis-node', 'npm list redis-node'],
    ['tool run --fast', 'tool run --help'],
    ['tool run x', 'cat log; tool run x'],
    ['tool run x', 'tool stop x'],
    ['tool show 12', 'tool show 13'],
    ['go test ./a', 'go test ./b'],
    ['make test', 'go test ./a'],
    ['git fetch origin && git status', 'git status --short'],
    ['node scripts/publish.ts', 'git diff scripts/publish.ts'],
    ['for f in *; do check "$f"; done …', 'send report …'],
    ['fetch x | wc -l', 'list y | wc -l'],
    ['', 'ls'],
  ])('%j is not replaced by %j', (before, after) => {
    expect(replaces(failed(before), worked(after))).toBe(false);
  });

  it('a check that failed is not fixed by itself with other options', () => {
    const tests = failed('npm test', { class: 'state' });
    expect(replaces(tests, worked('npm test -- --run'))).toBe(false);
    expect(replaces(tests, worked('npx vitest run'))).toBe(true);
    expect(replaces(tests, worked('CI=true npm test'))).toBe(true);
  });

  it.each([
    ['bun run lint', 'bun run lint:fix'],
    ['npx biome check .', 'npx biome check --write .'],
    ['gofmt -l .', 'gofmt -w .'],
    ['npm run format:check', 'npm run format'],
  ])('what %s complains about is corrected by %s', (before, after) => {
    expect(replaces(failed(before, { class: 'state' }), worked(after))).toBe(true);
  });

  it.each([
    ['redis-cli -h localhost -p 6379 ping', 'nc -z localhost 6379', 'program:redis-cli', true],
    ['rg "TODO" src/app.ts', 'grep -n TODO src/app.ts', 'program:rg', true],
    ['docker ps', 'which docker || echo "Docker not found"', 'program:docker', false],
    ['redis-cli -h localhost ping', 'npm test', 'program:redis-cli', false],
  ])('%s is replaced by %s as %s is missing: %s', (before, after, cause, expected) => {
    expect(replaces(failed(before, { causes: [cause] }), worked(after))).toBe(expected);
  });

  it('leaves out what the error refuses, and nothing else', () => {
    const usage = { line: 'accepts at most 1 arg(s), received 2', causes: ['arity:gh pr diff 2'] };
    expect(replaces(failed('gh pr diff 12 -- docs/a.md', usage), worked('gh pr diff 12'))).toBe(true);
    expect(replaces(failed('gh pr diff 12 -- docs/a.md', usage), worked('gh pr list'))).toBe(false);
    const absent = { line: 'stat /app/src/parser/src/parser: directory not found', class: 'state' } as const;
    expect(replaces(failed('go test -run Parse ./src/parser', absent), worked('go test -run Parse'))).toBe(true);
    expect(replaces(failed('go test -run Parse ./src/parser', absent), worked('go test ./src/lexer'))).toBe(false);
  });

  it('another package replaces an installation only if it has a similar name', () => {
    expect(replaces(failed('npm install redis-node'), worked('bun add ioredis'))).toBe(true);
    expect(replaces(failed('npm install redis-node'), worked('npm install left-pad'))).toBe(false);
    expect(replaces(failed('go get example.com/a/b@v2'), worked('go mod download -json example.com/a/b@v2'))).toBe(
      false,
    );
  });

  it('accepts any text, and no command replaces itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (before, after) => {
        expect(typeof replaces(failed(before), worked(after))).toBe('boolean');
        expect(replaces(failed(before), worked(before))).toBe(false);
      }),
    );
  });
});
