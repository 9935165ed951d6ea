import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Locked {
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
const packages: Readonly<Record<string, Locked>> = JSON.parse(read('package-lock.json')).packages;

describe('the lock file', () => {
  it('names the packages of all platforms, or `npm ci` refuses it on every one', () => {
    const wanted = Object.values(packages).flatMap((locked) => Object.keys(locked.optionalDependencies ?? {}));
    expect(wanted.filter((name) => !packages[`node_modules/${name}`])).toEqual([]);
  });

  it('names no host to download from', () => {
    expect(Object.values(packages).flatMap(({ resolved }) => resolved ?? [])).toEqual([]);
  });
});

describe('the README', () => {
  it('is short, and its commands are those of the package', () => {
    const readme = read('README.md');
    const { scripts } = JSON.parse(read('package.json'));
    expect(readme.split('\n').length).toBeLessThan(150);
    for (const command of ['npm ci && npm start', 'npm ci && npm test']) expect(readme).toContain(command);
    expect(Object.keys(scripts)).toEqual(
      expect.arrayContaining(['start', 'test', 'test:quick', 'bench', 'adapter:redact']),
    );
    expect(read('.ci/run')).toContain('npm ci && npm test');
  });
});
