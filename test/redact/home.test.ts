import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redact } from '../../src/redact/index.ts';

describe('home folders', () => {
  it.each([
    ['/Users/alice/code/app', '/Users/*/code/app'],
    ['/home/bob/.ssh/config', '/home/*/.ssh/config'],
    ['C:\\Users\\Carol\\code', 'C:\\Users\\*\\code'],
    ['"C:\\\\Users\\\\Carol\\\\code"', '"C:\\\\Users\\\\*\\\\code"'],
    ['C:\\Users\\Carol Danvers\\code', 'C:\\Users\\*\\code'],
    ['C:/Users/Carol/code', 'C:/Users/*/code'],
    ['file:///home/bob/x', 'file:///home/*/x'],
    ['/mnt/c/Users/carol/x', '/mnt/c/Users/*/x'],
    ['cd /home/bob', 'cd /home/*'],
    ['"/Users/alice"', '"/Users/*"'],
    ['PATH=/usr/bin:/home/bob/bin:/bin', 'PATH=/usr/bin:/home/*/bin:/bin'],
    ['/Users/josé/x and /home/bob.smith-2/y', '/Users/*/x and /home/*/y'],
  ])('masks the name in %s', (text, redacted) => {
    expect(redact(text)).toBe(redacted);
  });

  it.each([
    'src/home/index.ts',
    'https://example.org/home/index.html',
    'https://example.org/scim/v2/Users/42',
    '/users/42/posts',
    '/home/$USER/x',
    '/home/<name>/x',
    '/Users/*/x',
    'app/home/page.tsx',
  ])('leaves %s alone', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('are masked for any names', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9._-]{0,20}[a-z0-9]$/);
    fc.assert(
      fc.property(fc.array(name, { minLength: 1 }), (names) => {
        const text = names.map((each) => `open /home/${each}/file`).join('\n');
        expect(redact(text)).toBe(names.map(() => 'open /home/*/file').join('\n'));
      }),
    );
  });
});
