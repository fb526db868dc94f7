import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';
import type { TrustedProxies } from '../config/setting-values.ts';

/** Tells a caller's address, believing forwarded ones only as far as `TRUST_PROXY` says. */
export type ClientAddress = (request: IncomingMessage) => string;

/** `onIgnored` is told once when nobody is trusted and a request says that it was forwarded. */
export function clientAddress(trusted: TrustedProxies, onIgnored: () => void = () => {}): ClientAddress {
  const isTrusted = trustFunction(trusted);
  let isTold = trusted !== false;
  return (request) => {
    const forwarded = request.headers['x-forwarded-for'];
    if (!isTold && (forwarded !== undefined || request.headers.forwarded !== undefined)) {
      isTold = true;
      onIgnored();
    }
    const hops = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? '')).split(',').toReversed();
    let address = plain(request.socket.remoteAddress ?? '');
    for (const [index, hop] of hops.entries()) {
      const next = plain(hop.trim());
      if (!isTrusted(address, index) || isIP(next) === 0) break;
      address = next;
    }
    return address;
  };
}

function trustFunction(trusted: TrustedProxies): (address: string, hop: number) => boolean {
  if (trusted === false) return () => false;
  if (typeof trusted === 'number') return (_, hop) => hop < trusted;
  const list = new BlockList();
  for (const entry of trusted.flatMap((name) => NAMED[name] ?? [name])) {
    const [address = '', bits] = entry.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

const NAMED: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** An IPv4 address that came over an IPv6 socket, as IPv4. */
function plain(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

/** What one caller is counted under: an IPv4 address, or the network of an IPv6 one, which a single host owns whole. */
export function callerNetwork(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const left = head.split(':').filter((group) => group !== '');
  const right = (tail ?? '').split(':').filter((group) => group !== '');
  const zeros =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  return [...left, ...zeros, ...right].slice(0, 4).join(':');
}
