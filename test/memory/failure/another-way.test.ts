import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAnotherWay } from '../../../src/memory/failure/another-way.ts';

describe('another way to the same end', () => {
  it.each([
    ['npm install redis-node', 'bun add ioredis'],
    ['gh pr diff 12 --stat', 'gh pr diff 12 --name-only'],
    ['git push origin main', 'git push --set-upstream origin topic'],
    ['python tools/report.py --year 24', 'python tools/report.py --year 2024'],
    ['npm run lnt', 'npm run lint'],
    ['make lint && npm run build', 'npm run build -- --no-cache'],
  ])('after %s: %s', (failed, worked) => {
    expect(isAnotherWay(failed, worked)).toBe(true);
  });

  it.each([
    ['npm run build', 'npm run test'],
    ['gh pr diff 12 --stat', 'gh issue list'],
    ['npm install redis-node', 'npm test'],
    ['cat notes/a.txt', 'cat notes/b.txt'],
    ['npm run build', 'npm run build'],
    ['', 'ls'],
  ])('is not, after %j: %j', (failed, worked) => {
    expect(isAnotherWay(failed, worked)).toBe(false);
  });

  it('is told for any text, and never of a text itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (failed, worked) => {
        expect(typeof isAnotherWay(failed, worked)).toBe('boolean');
        expect(isAnotherWay(failed, failed)).toBe(false);
      }),
    );
  });
});
