import type { IncomingMessage } from 'node:http';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TrustedProxies } from '../../config/setting-values.ts';
import { callerNetwork, clientAddress } from './credential-check.ts';

function request(remoteAddress: string, forwarded?: string): IncomingMessage {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return { headers, socket: { remoteAddress } } as unknown as IncomingMessage;
}

describe('the address of a client', () => {
  it.each<[TrustedProxies, string, string | undefined, string]>([
    [false, '192.0.2.1', undefined, '192.0.2.1'],
    [false, '192.0.2.1', '10.0.0.1', '192.0.2.1'],
    [1, '10.0.0.1', '192.0.2.1', '192.0.2.1'],
    [1, '10.0.0.1', '1.1.1.1, 192.0.2.1', '192.0.2.1'],
    [2, '10.0.0.1', '1.1.1.1, 192.0.2.1, 10.0.0.2', '192.0.2.1'],
    [2, '10.0.0.1', '192.0.2.1', '192.0.2.1'],
    [1, '10.0.0.1', 'unknown', 'unknown'],
    [1, '10.0.0.1', '192.0.2.1:50123', '192.0.2.1'],
    [1, '10.0.0.1', '1.1.1.1, [2001:db8::1]:50123', '2001:db8::1'],
    [1, '10.0.0.1', undefined, '10.0.0.1'],
    [['10.0.0.0/8'], '10.0.0.1', '1.1.1.1, 192.0.2.1, 10.9.9.9', '192.0.2.1'],
    [['10.0.0.0/8'], '10.0.0.1', '1.1.1.1, 192.0.2.1:50123, 10.9.9.9:443', '192.0.2.1'],
    [['fd00::/8'], 'fd00::1', '192.0.2.1:50123, [fd00::7]:443', '192.0.2.1'],
    [['10.0.0.0/8'], '::ffff:10.0.0.1', '192.0.2.1, ::ffff:10.0.0.2', '192.0.2.1'],
    [['10.0.0.0/8'], '10.0.0.1', '192.0.2.1, unknown', 'unknown'],
    [['10.0.0.0/8'], '192.0.2.7', '1.1.1.1', '192.0.2.7'],
    [['loopback'], '::1', '2001:db8::1', '2001:db8::1'],
    [['uniquelocal', '::1'], '::1', '192.0.2.1, fd00::7', '192.0.2.1'],
  ])('with trust in %j, connected from %s, forwarded for %s, is %s', (trusted, remote, forwarded, address) => {
    expect(clientAddress(trusted)(request(remote, forwarded))).toBe(address);
  });

  it('does not depend on any header if no proxy is trusted', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        expect(clientAddress(false)(request('192.0.2.1', header))).toBe('192.0.2.1');
      }),
    );
  });
});

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::', 'fe80:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['', ''],
])('%s is counted under %s', (address, network) => {
  expect(callerNetwork(address)).toBe(network);
});
