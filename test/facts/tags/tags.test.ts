import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findTags, findWordTags, MAX_TAGS, parseRow, SUBJECTS } from '../../../src/facts/tags/tags.ts';

describe('tags', () => {
  it('include the intent of a request', () => {
    expect(findTags({ text: 'adding auth' })).toEqual(['authentication', 'security']);
    expect(findTags({ text: 'the dashboard is slow' })).toEqual(['frontend', 'performance']);
    expect(findTags({ text: 'Fix the flaky e2e test' })).toContain('testing');
  });

  it('include the technology', () => {
    expect(findTags({ text: 'install ioredis' })).toEqual(['dependency', 'redis', 'database']);
    expect(findTags({ command: 'bun add ioredis' })).toEqual(['dependency', 'redis', 'database']);
    expect(findTags({ command: 'docker compose up' })).toEqual(['docker', 'infrastructure']);
  });

  it('include the tool', () => {
    expect(findTags({ tool: 'test_run' })).toEqual(['testing']);
    expect(findTags({ tool: 'runTests' })).toEqual(['testing']);
  });

  it('include the kind of file', () => {
    expect(findTags({ path: 'src/auth/jwt.ts' })).toEqual(['auth', 'jwt', 'backend']);
    expect(findTags({ path: 'src/components/LoginForm.tsx' })).toEqual(['login', 'frontend']);
    expect(findTags({ path: 'packages/core/test/loader.test.ts' })).toEqual(['testing']);
    expect(findTags({ path: '.github/workflows/ci.yml' })).toEqual(['ci']);
    expect(findTags({ path: 'README.md' })).toEqual(['documentation']);
    expect(findTags({ path: 'src\\db\\migrations\\001.sql' })).toContain('database');
  });

  it('combine all of these, the text first', () => {
    expect(findTags({ text: 'Add Redis caching', path: 'src/cache/redis.ts', tool: 'Write' })).toEqual([
      'redis',
      'database',
      'caching',
      'cache',
      'backend',
    ]);
  });

  it('match whole words in any inflection, and never a part of one', () => {
    expect(findTags({ text: 'caches' })).toEqual(findTags({ text: 'caching' }));
    expect(findTags({ text: 'migrating, migrated, migrations' })).toEqual(['database']);
    expect(findTags({ text: 'the author of the latest contest' })).toEqual([]);
    expect(findTags({ text: 'go ahead and set it' })).toEqual([]);
  });

  it('match two words in a row', () => {
    expect(findTags({ text: 'use GitHub Actions' })).toEqual(['ci']);
    expect(findTags({ text: 'actions on GitHub' })).toEqual([]);
    expect(findTags({ command: 'go get example.com/x' })).toContain('dependency');
  });

  it('are listed with two words in a row at most', () => {
    const phrases = SUBJECTS.map(parseRow).flatMap(({ first, second }) => [...first, ...second]);
    expect(phrases.filter((phrase) => phrase.split(/\s+/).length > 2)).toEqual([]);
  });

  it('ignore paths in a command', () => {
    expect(findTags({ command: 'cat src/auth/jwt.ts' })).toEqual([]);
  });

  it('include the words of the settings', () => {
    const extra = { tides: ['tide', 'tide table'], billing: ['stripe'] };
    expect(findTags({ text: 'import the tides' }, extra)).toEqual(['tides']);
    expect(findTags({ text: 'stripe webhook' }, extra)).toEqual(['payments', 'billing', 'api', 'backend']);
    expect(findTags({ path: 'src/tides/parser.ts' }, extra)).toEqual(['tides']);
    expect(findTags({ text: 'import the tides' })).toEqual([]);
  });

  it('ignore property names of objects', () => {
    expect(findWordTags('constructor')).toEqual([]);
    expect(findTags({ text: 'constructor __proto__ toString', path: 'constructor/__proto__.ts' })).toEqual([]);
  });

  it('are few, distinct and deterministic', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 3_000 }), fc.string(), (text, path) => {
        const tags = findTags({ text, command: text, tool: path, path });
        expect(tags.length).toBeLessThanOrEqual(MAX_TAGS);
        expect(new Set(tags).size).toBe(tags.length);
        expect(findTags({ text, command: text, tool: path, path })).toEqual(tags);
      }),
    );
  });
});

describe('tag table', () => {
  it.each(SUBJECTS.map(parseRow).map(({ tag, first }) => [tag, first] as const))(
    '%s is given by each of its words',
    (tag, words) => {
      for (const word of words) expect(findTags({ text: `x ${word} x` }), word).toContain(tag);
    },
  );

  it('accepts irregular words', () => {
    const extra = { past: ['ran', 'hung', 'wrote', 'broken things'] };
    for (const text of ['it ran', 'they run', 'hang', 'we write', 'break things'])
      expect(findTags({ text }, extra), text).toContain('past');
  });
});
