import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import proxyAddr from 'proxy-addr';
import type { TrustedProxies } from '../config/setting-values.ts';

/** Returns the client's address. Forwarded addresses are trusted only as far as `TRUST_PROXY` allows. */
export type ClientAddress = (request: IncomingMessage) => string;

/** `onIgnored` is called once, if no proxy is trusted and a request has a forwarding header. */
export function clientAddress(trusted: TrustedProxies, onIgnored: () => void = () => {}): ClientAddress {
  if (trusted === false) return socketAddress(onIgnored);
  const isTrusted = trustFunction(trusted);
  // Proxies also forward words such as `unknown`. In that case the last valid address counts.
  return (request) => plain(proxyAddr.all(request, isTrusted).findLast((address) => isIP(address) !== 0) ?? '');
}

/** Returns the address of the connection and ignores headers. */
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

/** Converts an IPv4-mapped IPv6 address to IPv4. */
function plain(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

/** The key under which a caller is counted: an IPv4 address, or an IPv6 /64 network, which a single host may own entirely. */
export function callerNetwork(address: string): string {
  return isIPv6(address) ? ipaddr.parse(address).toNormalizedString().split(':', 4).join(':') : address;
}
