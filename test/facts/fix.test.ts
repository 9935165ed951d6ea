import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replaces } from '../../src/facts/fix.ts';

const SAME = { isState: false, isSameRequest: true };

describe('a command replaces another one', () => {
  it.each([
    ['npm install redis-node', 'bun add ioredis'],
    ['gh pr diff 12 --stat', 'gh pr diff 12 --name-only'],
    ['git push', 'git push --set-upstream origin topic'],
    ['python tools/report.py --year 24', 'python tools/report.py --year 2024'],
    ['npm run lnt', 'npm run lint'],
    ['make lint && npm run build', 'npm run build -- --no-cache'],
    ['npm run test:unit', 'npx vitest run'],
    ['python run.py --all', 'python3 run.py --all'],
    ['scripts/deploy.sh --to config/a.yml', 'tools/deploy.sh --to config/a.yml'],
    ['tool lint .tool.yml', 'tool lint .tool.yaml'],
    ['docker-compose up -d', 'docker compose up -d'],
    ['docker-compose up -d', 'docker compose up'],
    ['psql -f a.sql', 'docker compose exec -T db psql -f a.sql'],
    ['npm run test:integration', 'npm run test:e2e'],
    ['node scripts/seed.ts', 'pnpm tsx scripts/seed.ts'],
    ['curl -f http://localhost:3000/health', 'npm start & sleep 2; curl -f http://localhost:3000/health'],
    ['a --set x=1 && deploy site', 'a --put x=1 && deploy site'],
  ])('%s is replaced by %s', (failed, worked) => {
    expect(replaces(failed, worked, SAME)).toBe(true);
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
  ])('%j is not replaced by %j', (failed, worked) => {
    expect(replaces(failed, worked, SAME)).toBe(false);
  });

  it('a check that failed is not fixed by itself with other options', () => {
    expect(replaces('npm test', 'npm test -- --run', { ...SAME, isState: true })).toBe(false);
    expect(replaces('npm test', 'npx vitest run', { ...SAME, isState: true })).toBe(true);
  });

  it('another package for another request replaces an installation only if it has a similar name', () => {
    const later = { isState: false, isSameRequest: false };
    expect(replaces('npm install redis-node', 'bun add ioredis', later)).toBe(true);
    expect(replaces('npm install redis-node', 'npm install left-pad', later)).toBe(false);
  });

  it('accepts any text, and no command replaces itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (failed, worked) => {
        expect(typeof replaces(failed, worked, SAME)).toBe('boolean');
        expect(replaces(failed, failed, SAME)).toBe(false);
      }),
    );
  });
});
