import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import proxyAddr from 'proxy-addr';
import type { TrustedProxies } from '../config/setting-values.ts';

/** Tells a caller's address, believing forwarded ones only as far as `TRUST_PROXY` says. */
export type ClientAddress = (request: IncomingMessage) => string;

/** `onIgnored` is called once, when no proxy is trusted and a request has a forwarding header. */
export function clientAddress(trusted: TrustedProxies, onIgnored: () => void = () => {}): ClientAddress {
  if (trusted === false) return socketAddress(onIgnored);
  const isTrusted = trustFunction(trusted);
  // Proxies forward words too, such as `unknown`: then the last address before it counts.
  return (request) => plain(proxyAddr.all(request, isTrusted).findLast((address) => isIP(address) !== 0) ?? '');
}

/** The address of the connection, whatever headers say. */
function socketAddress(onIgnored: () => void): ClientAddress {
  let hasWarned = false;
  return ({ headers: { forwarded, 'x-forwarded-for': forwardedFor }, socket }) => {
    if (!hasWarned && (forwardedFor ?? forwarded) !== undefined) {
      hasWarned = true;
      onIgnored();
    }
    return plain(socket.remoteAddress ?? '');
  };
}

function trustFunction(trusted: Exclude<TrustedProxies, false>): (address: string, hop: number) => boolean {
  return typeof trusted === 'number' ? (_, hop) => hop < trusted : proxyAddr.compile([...trusted]);
}

/** An IPv4 address that came over an IPv6 socket, as IPv4. */
function plain(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

/** What one caller is counted under: an IPv4 address, or the network of an IPv6 one, which a single host owns whole. */
export function callerNetwork(address: string): string {
  return isIPv6(address) ? ipaddr.parse(address).toNormalizedString().split(':', 4).join(':') : address;
}
