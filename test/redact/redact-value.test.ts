import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redact, redactValue } from '../../src/redact/index.ts';
import { nameLevel } from '../../src/redact/name.ts';
import { PLAIN_NAMES } from '../../src/redact/redact.ts';

const token = ['Zk9qX2vB7nLw', '4TpR8sYd'].join('');

describe('redactValue', () => {
  it.each([
    [{ password: 'hunter2' }, { password: '[redacted:password]' }],
    [{ env: { API_KEY: token } }, { env: { API_KEY: '[redacted:token]' } }],
    [{ headers: { Authorization: `Bearer ${token}` } }, { headers: { Authorization: 'Bearer [redacted:bearer]' } }],
    [
      { headers: { Authorization: `Token ${token}` } },
      { headers: { Authorization: 'Token [redacted:authorization]' } },
    ],
    [{ headers: { 'x-api-key': token } }, { headers: { 'x-api-key': '[redacted:token]' } }],
    [[{ name: 'DB_PASSWORD', value: 'hunter2' }], [{ name: 'DB_PASSWORD', value: '[redacted:password]' }]],
    [{ args: ['--token', token, '-v'] }, { args: ['--token', '[redacted:token]', '-v'] }],
    [{ passwords: ['hunter2', 'letmein1'] }, { passwords: ['[redacted:secret]', '[redacted:secret]'] }],
    [{ auths: { host: { auth: btoa('bob:hunter2') } } }, { auths: { host: { auth: '[redacted:basic]' } } }],
    [{ text: ['see /home/bob/x'] }, { text: ['see /home/*/x'] }],
    [{ files: { '/home/bob/x': 1 } }, { files: { '/home/*/x': 1 } }],
    [`password=${token}`, 'password=[redacted:password]'],
  ])('masks %j by its keys', (value, redacted) => {
    expect(redactValue(value)).toEqual(redacted);
  });

  it.each([
    {
      v: 1,
      id: '1700000000000-3f2a9c1b',
      sessionId: 'sess_1700000000000_9f8e7d',
      role: 'user',
      content: 'hello',
    },
    { usage: { inputTokens: 12, outputTokens: 3400 }, model: 'claude-sonnet-4-5' },
    { key: 'user-settings', token: 'string', password: null, secret: true, apiKey: '$API_KEY' },
    { query: 'where is the password checked?', tags: ['auth', 'token'] },
    [1, null, undefined, true, { a: [] }],
    null,
    42,
  ])('returns the same reference for %j', (value) => {
    expect(redactValue(value)).toBe(value);
  });

  it('leaves only the structural fields of the outermost object alone', () => {
    const value = { id: '/home/bob', args: { id: '/home/bob' } };
    expect(redactValue(value)).toEqual({ id: '/home/bob', args: { id: '/home/*' } });
    expect(redactValue({ token }, new Set(['token']))).toEqual({ token });
  });

  it('does not change its argument', () => {
    const value = { a: [{ password: 'hunter2' }], b: { c: 'x' } };
    const copy = structuredClone(value);
    const redacted = redactValue(value);
    expect(value).toEqual(copy);
    expect(redacted.b).toBe(value.b);
  });

  it('is idempotent and keeps the structure of any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const once = redactValue(value);
        expect(redactValue(once)).toBe(once);
        expect(JSON.stringify(once)?.replace(/"(?:[^"\\]|\\.)*"/g, '""')).toBe(
          JSON.stringify(value)?.replace(/"(?:[^"\\]|\\.)*"/g, '""'),
        );
      }),
    );
  });

  it('finds at least what redact finds in each string', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (strings) => {
        expect(redactValue({ strings }).strings.every((string) => redact(string) === string)).toBe(true);
      }),
    );
  });

  it('masks a secret at any depth', () => {
    for (const depth of [10, 63, 64, 65, 66, 500]) {
      let value: unknown = { password: 'hunter2' };
      for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { nested: value };
      expect(JSON.stringify(redactValue(value)), `${depth}`).not.toContain('hunter2');
    }
  });

  it.each([
    ['an address', new URL(`https://bob:${token}@db.example/`)],
    ['a text in an object', new String(`password=${token}`)],
    ['an object that says how it is written', { toJSON: () => ({ password: token }) }],
    ['a map, of which nothing is written', new Map([['password', token]])],
    [
      'a field that is computed',
      {
        get password() {
          return token;
        },
      },
    ],
  ])('masks what is written of %s', (_, value) => {
    expect(JSON.stringify(redactValue({ input: { value } }))).not.toContain(token);
  });

  it('stops at a nesting depth that no real value has', () => {
    let value: unknown = 'x';
    for (let i = 0; i < 10_000; i++) value = [value];
    expect(() => redactValue(value)).not.toThrow();
  });

  it.each([...PLAIN_NAMES])('does not take the field %s for the name of a secret', (name) => {
    expect(nameLevel(name)).toBe('none');
  });
});
