import { describe, expect, it } from 'vitest';
import {
  browserCommand,
  exposureWarning,
  externalAddresses,
  openBrowser,
} from '../../../src/cli/commands/app/announce.ts';

const address = (given: string, internal: boolean, family: 'IPv4' | 'IPv6' = 'IPv4') =>
  ({ address: given, internal, family, netmask: '', mac: '', cidr: null, scopeid: 0 }) as const;

const INTERFACES = {
  lo: [address('127.0.0.1', true)],
  eth0: [address('192.0.2.5', false), address('2001:db8::5', false, 'IPv6')],
  none: undefined,
};

describe('a server that other machines can reach', () => {
  it('announces the addresses of the machine when it listens on all of them', () => {
    expect(externalAddresses('0.0.0.0', INTERFACES)).toEqual(['192.0.2.5']);
    expect(externalAddresses('192.0.2.5', INTERFACES)).toEqual([]);
    expect(externalAddresses('127.0.0.1', INTERFACES)).toEqual([]);
  });

  it('triggers a warning that says whether others can write', () => {
    expect(exposureWarning('0.0.0.0', true)).toContain('change nothing');
    expect(exposureWarning('0.0.0.0', false)).toContain('delete everything');
  });
});

const ADDRESS = 'http://127.0.0.1:4747/#token=abc';

describe('opening a browser', () => {
  it('uses the command of the platform', () => {
    expect(browserCommand(ADDRESS, { platform: 'darwin', env: {} })).toEqual(['open', ADDRESS]);
    expect(browserCommand(ADDRESS, { platform: 'win32', env: {} })).toEqual(['cmd', '/c', 'start', '""', ADDRESS]);
    expect(browserCommand(ADDRESS, { platform: 'linux', env: { WAYLAND_DISPLAY: 'wayland-0' } })).toEqual([
      'xdg-open',
      ADDRESS,
    ]);
  });

  it('has no command on a machine without a display', () => {
    expect(browserCommand(ADDRESS, { platform: 'linux', env: { DISPLAY: '' } })).toBeUndefined();
  });

  it('escapes ampersands for the shell of Windows', () => {
    const [, , , , given] = browserCommand('http://x/?a=1&b=2', { platform: 'win32', env: {} }) ?? [];
    expect(given).toBe('http://x/?a=1^&b=2');
  });

  it('resolves to false when there is no browser', async () => {
    expect(await openBrowser(ADDRESS, { platform: 'linux', env: {} })).toBe(false);
  });
});
