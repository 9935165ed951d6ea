import { describe, expect, it } from 'vitest';
import { exposureWarning, outsideAddresses } from '../../../src/cli/serve/announce.ts';

const address = (given: string, internal: boolean, family: 'IPv4' | 'IPv6' = 'IPv4') =>
  ({ address: given, internal, family, netmask: '', mac: '', cidr: null, scopeid: 0 }) as const;

const INTERFACES = {
  lo: [address('127.0.0.1', true)],
  eth0: [address('192.0.2.5', false), address('2001:db8::5', false, 'IPv6')],
  none: undefined,
};

describe('a server that other machines can reach', () => {
  it('tells the addresses of the machine when it listens on all of them', () => {
    expect(outsideAddresses('0.0.0.0', INTERFACES)).toEqual(['192.0.2.5']);
    expect(outsideAddresses('192.0.2.5', INTERFACES)).toEqual([]);
    expect(outsideAddresses('127.0.0.1', INTERFACES)).toEqual([]);
  });

  it('is warned about, the more when others may change things', () => {
    expect(exposureWarning('0.0.0.0', true)).toContain('change nothing');
    expect(exposureWarning('0.0.0.0', false)).toContain('delete everything');
  });
});
