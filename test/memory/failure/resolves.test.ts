import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolves } from '../../../src/memory/failure/resolves.ts';

describe('resolves', () => {
  it.each([
    ['npm install redis-node', 'bun add ioredis'],
    ['gh pr diff 12 --stat', 'gh pr diff 12 --name-only'],
    ['git push origin main', 'git push --set-upstream origin topic'],
    ['python tools/report.py --year 24', 'python tools/report.py --year 2024'],
    ['npm run lnt', 'npm run lint'],
    ['make lint && npm run build', 'npm run build -- --no-cache'],
  ])('%s is resolved by %s', (failed, worked) => {
    expect(resolves(failed, worked)).toBe(true);
  });

  it.each([
    ['npm run build', 'npm run test'],
    ['gh pr diff 12 --stat', 'gh issue list'],
    ['npm install redis-node', 'npm test'],
    ['cat notes/a.txt', 'cat notes/b.txt'],
    ['npm run build', 'npm run build'],
    ['', 'ls'],
  ])('%j is not resolved by %j', (failed, worked) => {
    expect(resolves(failed, worked)).toBe(false);
  });

  it('accepts any text, and no command resolves itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (failed, worked) => {
        expect(typeof resolves(failed, worked)).toBe('boolean');
        expect(resolves(failed, failed)).toBe(false);
      }),
    );
  });
});
