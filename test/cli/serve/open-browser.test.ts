import { describe, expect, it } from 'vitest';
import { browserCommand, openBrowser } from '../../../src/cli/serve/open-browser.ts';

const ADDRESS = 'http://127.0.0.1:4747/#token=abc';

describe('the command that opens a browser', () => {
  it('is the one of the platform', () => {
    expect(browserCommand(ADDRESS, { platform: 'darwin', env: {} })).toEqual(['open', ADDRESS]);
    expect(browserCommand(ADDRESS, { platform: 'win32', env: {} })).toEqual([
      'cmd',
      '/c',
      'start',
      '""',
      ADDRESS,
    ]);
    expect(browserCommand(ADDRESS, { platform: 'linux', env: { WAYLAND_DISPLAY: 'wayland-0' } })).toEqual([
      'xdg-open',
      ADDRESS,
    ]);
  });

  it('is none on a machine without a screen, where one of the terminal would take that over', () => {
    expect(browserCommand(ADDRESS, { platform: 'linux', env: { DISPLAY: '' } })).toBeUndefined();
  });

  it('is kept whole by the shell of Windows', () => {
    const [, , , , given] = browserCommand('http://x/?a=1&b=2', { platform: 'win32', env: {} }) ?? [];
    expect(given).toBe('http://x/?a=1^&b=2');
  });

  it('is told apart from one that does not open anything', async () => {
    expect(await openBrowser(ADDRESS, { platform: 'linux', env: {} })).toBe(false);
  });
});
