import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redact } from '../../src/redact/index.ts';
import { ASSIGNMENTS, isGone } from './contexts.ts';
import { fill, seeded } from './formats.ts';

const TOKEN_NAMES = (
  'api_key apiKey API_KEY x-api-key access_token accessToken GITHUB_TOKEN token client_secret clientSecret SECRET_KEY ' +
  'AWS_SECRET_ACCESS_KEY private_key encryption_key JWT_SECRET session_secret credentials DATADOG_API_KEY STRIPE_KEY ' +
  'adafruitToken sendbird_token webhook_secret account_key refresh_token bot_token GITLAB_PAT'
).split(' ');
const TOKENS = ['<a:32>', '<a:40>', '<h:32>', '<h:40>', '<h:64>', '<b:38>==', '<b:43>=', '<uuid>', '<w:43>'];
const PASSWORD_NAMES = (
  'password PASSWORD DB_PASSWORD db_password dbPassword passwd user.password POSTGRES_PASSWORD adminPassword smtp_pass ' +
  'passphrase spring.datasource.password'
).split(' ');
const PASSWORDS = ['<l:5><d:3>!', 'P@ss<l:3><d:2>', 'Summer<d:4>!', '<l:4>#<d:3><u:2>', '<L:4>-<d:3>-<l:4>'];

function shareMissed(names: readonly string[], values: readonly string[]): number {
  const random = seeded(1);
  let [missed, total] = [0, 0];
  for (const name of names) {
    for (const value of values) {
      for (const assign of ASSIGNMENTS) {
        const secret = fill(value, random);
        total++;
        if (!isGone(secret, redact(assign(name, secret)))) missed++;
      }
    }
  }
  return missed / total;
}

describe('a value assigned to the name of a secret', () => {
  it('is masked in every syntax if it looks generated, except for a few that read like words', () => {
    expect(shareMissed(TOKEN_NAMES, TOKENS)).toBeLessThan(0.003);
  });

  it('is masked in every syntax if it is a password that a person made up', () => {
    expect(shareMissed(PASSWORD_NAMES, PASSWORDS)).toBeLessThan(0.005);
  });

  it('is masked for any name, value and syntax, and the name stays', () => {
    const anyCase = fc.tuple(
      fc.constantFrom(...TOKEN_NAMES),
      fc.constantFrom('<h:40>', '<uuid>', '<b:43>='),
      fc.constantFrom(...ASSIGNMENTS),
      fc.nat(),
    );
    fc.assert(
      fc.property(anyCase, ([name, value, assign, seed]) => {
        const secret = fill(value, seeded(seed));
        const redacted = redact(assign(name, secret));
        return isGone(secret, redacted) && redacted.includes(name);
      }),
      { numRuns: 2000, seed: 1 }, // A random value may read like words, which the rules leave alone.
    );
  });

  it.each([
    ['password=hunter2', 'password=[redacted:password]'],
    ['DB_PASSWORD: s3cr3t!', 'DB_PASSWORD: [redacted:password]'],
    ['POSTGRES_PASSWORD: postgres', 'POSTGRES_PASSWORD: [redacted:password]'],
    ['{"password":"letmein"}', '{"password":"[redacted:password]"}'],
    ['auth: { user: "bob", pass: "hunter2" }', 'auth: { user: "bob", pass: "[redacted:secret]" }'],
    ['The password is "hunter2".', 'The password is "[redacted:password]".'],
    ['user=bob&password=hunter2&page=1', 'user=bob&password=[redacted:password]&page=1'],
    [
      'Server=x;User ID=sa;Password=Str0ng!Pass;Encrypt=True',
      'Server=x;User ID=sa;Password=[redacted:password];Encrypt=True',
    ],
    ['-e PASSWORD=hunter2 -e USER=bob', '-e PASSWORD=[redacted:password] -e USER=bob'],
    ['<password>hunter2</password>', '<password>[redacted:password]</password>'],
    ['--password hunter2 --user bob', '--password [redacted:password] --user bob'],
  ])('masks only the value in %s', (text, redacted) => {
    expect(redact(text)).toBe(redacted);
  });
});
