import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normaliseRemoteUrl, parseRemoteUrl } from '../../src/registry/git-repository.ts';

describe('normaliseRemoteUrl gives one URL for', () => {
  test.each([
    'https://github.com/Me/app',
    'https://github.com/Me/app.git',
    'https://github.com/Me/app/',
    'https://GitHub.COM/Me/app.git/',
    'https://github.com:443/Me/app',
    `https://me:${'tok'}en@github.com/Me/app.git`,
    'http://github.com/Me/app',
    'git@github.com:Me/app.git',
    'github.com:Me/app',
    'git@github.com:/Me/app.git',
    'ssh://git@github.com/Me/app.git',
    'ssh://git@github.com:22/Me/app',
    'git+ssh://git@github.com/Me/app.git',
    'git://github.com/Me/app.git',
    '  https://github.com/Me/app?ref=main#readme ',
  ])('%s', (url) => {
    expect(normaliseRemoteUrl(url, '/base')).toBe('github.com/Me/app');
  });
});

test.each([
  ['ssh://git@example.com:2222/app.git', 'example.com:2222/app'],
  ['https://example.com:22/app', 'example.com:22/app'],
  ['ssh://git@[::1]:22/app', '[::1]/app'],
  ['hg::https://me:pw@example.com/app', 'hg::example.com/app'],
  ['s3://key:pw@bucket/app.git', 'bucket/app'],
])('%s becomes %s', (url, expected) => {
  expect(normaliseRemoteUrl(url, '/base')).toBe(expected);
});

test.skipIf(process.platform === 'win32').each([
  ['/srv/app.git', 'file:/srv/app'],
  ['/srv/app/.git', 'file:/srv/app'],
  ['file:///srv/app', 'file:/srv/app'],
  ['file://localhost/srv/app', 'file:/srv/app'],
  ['../app', 'file:/home/app'],
  ['./a:b', 'file:/home/me/a:b'],
])('%s on this machine becomes %s', (url, expected) => {
  expect(normaliseRemoteUrl(url, '/home/me')).toBe(expected);
});

test('credentials are always removed', () => {
  const word = fc.stringMatching(/^[a-z0-9]{3,8}$/);
  const form = fc.constantFrom(
    (host: string, path: string, secret: string) => `https://me:${secret}@${host}/${path}`,
    (host: string, path: string, secret: string) => `https://${secret}@${host}/${path}`,
    (host: string, path: string, secret: string) => `weird+x://me:${secret}@${host}:99/${path}.git`,
    (host: string, path: string, secret: string) => `${secret}@${host}:${path}`,
    (host: string, path: string, secret: string) => `tool::https://me:${secret}@${host}/${path}`,
  );
  fc.assert(
    fc.property(form, word, word, word, (make, host, path, random) => {
      const secret = `Secret${random}`;
      const result = normaliseRemoteUrl(make(host, path, secret), '/base');
      expect(result).not.toContain(secret);
      expect(result).toContain(host);
      expect(result).toContain(path);
    }),
  );
});

describe('parseRemoteUrl', () => {
  test('prefers origin over the first remote', () => {
    const config =
      '[core]\n\tbare = false\n[remote "upstream"]\n\turl = up\n[remote "origin"]\n\turl = mine\n\tfetch = x\n';
    expect(parseRemoteUrl(config)).toBe('mine');
    expect(parseRemoteUrl(config.replace('origin', 'zeta'))).toBe('up');
    expect(parseRemoteUrl('[branch "x"]\n url = no\n')).toBeUndefined();
    expect(parseRemoteUrl('')).toBeUndefined();
  });

  test('understands quotes, escapes, comments, unusual case and line breaks', () => {
    expect(parseRemoteUrl('[REMOTE "origin"] \r\n URL = "a b\\"c" ; comment\r\n')).toBe('a b"c');
    expect(parseRemoteUrl('[remote "origin"]\nurl=host:app # comment')).toBe('host:app');
    expect(parseRemoteUrl('[remote "origin"]\nurl = ho\\\nst:app\npushurl = other')).toBe('host:app');
    expect(parseRemoteUrl('[remote "origin"]\nurl =\n[remote "b"]\nurl = b')).toBe('b');
  });

  test('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseRemoteUrl(`[remote "origin"]\nurl = ${text}`)));
  });
});
