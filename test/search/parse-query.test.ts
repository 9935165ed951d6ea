import { describe, expect, it } from 'vitest';
import { parseQuery } from '../../src/search/query/parse-query.ts';

/** The units of a query: terms, with a star where the last one may go on. */
function units(query: string): readonly string[] {
  return parseQuery(query).units.map(({ terms, isPrefix }) => `${terms.join(' ')}${isPrefix ? '*' : ''}`);
}

describe('parseQuery', () => {
  it.each([
    ['redis timeout', ['redis', 'timeout']],
    ['"connection refused" redis', ['connection refused', 'redis']],
    ['src/auth/jwt.ts', ['src auth jwt ts']],
    ['--no-verify', ['no verify']],
    ['conf*', ['conf*']],
    ['foo AND bar', ['foo', 'and', 'bar']],
    ['数据库', ['数 据 库']],
    ['redis redis', ['redis']],
    ['=> {}', []],
    ['"unclosed phrase', ['unclosed phrase']],
    ['   ', []],
  ])('%s asks for %j', (query, expected) => {
    expect(units(query)).toEqual(expected);
  });

  it('keeps the typed text without surrounding white space and quotes', () => {
    expect(parseQuery('  "Connection Refused" ').typed).toBe('Connection Refused');
    expect(parseQuery('a "b" c').typed).toBe('a "b" c');
    expect(parseQuery('\t\n').typed).toBe('');
  });

  it('splits an identifier into parts', () => {
    expect(parseQuery('getUserById').units[0]?.parts).toEqual(['get', 'user', 'by', 'id']);
  });

  it('uses the first words of a long text', () => {
    const words = Array.from({ length: 500 }, (_, n) => `w${n}`);
    expect(units(words.join(' ')).length).toBeLessThan(50);
  });
});
