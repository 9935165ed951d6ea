import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SUBJECTS } from '../../../src/memory/tags/tag-table.ts';
import { MOST_TAGS, tagsOf, tagsOfWord } from '../../../src/memory/tags/tags-of.ts';

describe('tags', () => {
  it('include the intent of a request', () => {
    expect(tagsOf({ text: 'adding auth' })).toEqual(['authentication', 'security']);
    expect(tagsOf({ text: 'the dashboard is slow' })).toEqual(['frontend', 'performance']);
    expect(tagsOf({ text: 'Fix the flaky e2e test' })).toContain('testing');
  });

  it('include the technology', () => {
    expect(tagsOf({ text: 'install ioredis' })).toEqual(['dependency', 'redis', 'database']);
    expect(tagsOf({ command: 'bun add ioredis' })).toEqual(['dependency', 'redis', 'database']);
    expect(tagsOf({ command: 'docker compose up' })).toEqual(['docker', 'infrastructure']);
  });

  it('include the tool', () => {
    expect(tagsOf({ tool: 'test_run' })).toEqual(['testing']);
    expect(tagsOf({ tool: 'runTests' })).toEqual(['testing']);
  });

  it('include the kind of file', () => {
    expect(tagsOf({ path: 'src/auth/jwt.ts' })).toEqual(['auth', 'jwt', 'backend']);
    expect(tagsOf({ path: 'src/components/LoginForm.tsx' })).toEqual(['login', 'frontend']);
    expect(tagsOf({ path: 'packages/core/test/loader.test.ts' })).toEqual(['testing']);
    expect(tagsOf({ path: '.github/workflows/ci.yml' })).toEqual(['ci']);
    expect(tagsOf({ path: 'README.md' })).toEqual(['documentation']);
    expect(tagsOf({ path: 'src\\db\\migrations\\001.sql' })).toContain('database');
  });

  it('combine all of these, the text first', () => {
    expect(tagsOf({ text: 'Add Redis caching', path: 'src/cache/redis.ts', tool: 'Write' })).toEqual([
      'redis',
      'database',
      'caching',
      'cache',
      'backend',
    ]);
  });

  it('match whole words in any inflection, and never a part of one', () => {
    expect(tagsOf({ text: 'caches' })).toEqual(tagsOf({ text: 'caching' }));
    expect(tagsOf({ text: 'migrating, migrated, migrations' })).toEqual(['database']);
    expect(tagsOf({ text: 'the author of the latest contest' })).toEqual([]);
    expect(tagsOf({ text: 'go ahead and set it' })).toEqual([]);
  });

  it('match two words in a row', () => {
    expect(tagsOf({ text: 'use GitHub Actions' })).toEqual(['ci']);
    expect(tagsOf({ text: 'actions on GitHub' })).toEqual([]);
    expect(tagsOf({ command: 'go get example.com/x' })).toContain('dependency');
  });

  it('are listed with two words in a row at most', () => {
    const phrases = SUBJECTS.flatMap(({ words, commands }) => `${words}, ${commands ?? 'none'}`.split(', '));
    expect(phrases.filter((phrase) => phrase.split(/\s+/).length > 2)).toEqual([]);
  });

  it('ignore paths in a command', () => {
    expect(tagsOf({ command: 'cat src/auth/jwt.ts' })).toEqual([]);
  });

  it('include the words of the settings', () => {
    const extra = { tides: ['tide', 'tide table'], billing: ['stripe'] };
    expect(tagsOf({ text: 'import the tides' }, extra)).toEqual(['tides']);
    expect(tagsOf({ text: 'stripe webhook' }, extra)).toEqual(['payments', 'billing', 'api', 'backend']);
    expect(tagsOf({ path: 'src/tides/parser.ts' }, extra)).toEqual(['tides']);
    expect(tagsOf({ text: 'import the tides' })).toEqual([]);
  });

  it('ignore property names of objects', () => {
    expect(tagsOfWord('constructor')).toEqual([]);
    expect(tagsOf({ text: 'constructor __proto__ toString', path: 'constructor/__proto__.ts' })).toEqual([]);
  });

  it('are few, distinct and deterministic', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 3_000 }), fc.string(), (text, path) => {
        const tags = tagsOf({ text, command: text, tool: path, path });
        expect(tags.length).toBeLessThanOrEqual(MOST_TAGS);
        expect(new Set(tags).size).toBe(tags.length);
        expect(tagsOf({ text, command: text, tool: path, path })).toEqual(tags);
      }),
    );
  });
});

describe('tag table', () => {
  it.each(SUBJECTS.map(({ tag, words }) => [tag, words] as const))(
    '%s is given by each of its words',
    (tag, words) => {
      for (const word of words.split(', ')) expect(tagsOf({ text: `x ${word} x` }), word).toContain(tag);
    },
  );

  it('accepts irregular words', () => {
    const extra = { past: ['ran', 'hung', 'wrote', 'broken things'] };
    for (const text of ['it ran', 'they run', 'hang', 'we write', 'break things'])
      expect(tagsOf({ text }, extra), text).toContain('past');
  });
});
