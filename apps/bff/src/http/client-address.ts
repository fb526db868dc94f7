import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import proxyAddr from 'proxy-addr';
import type { TrustedProxies } from '../config/setting-values.ts';

/** Returns the client's address. Forwarded addresses are trusted only as far as `TRUST_PROXY` allows. */
export type ClientAddress = (request: IncomingMessage) => string;

/** Like `request.ip` of Express, but also for upgrades, which Express does not see. */
export function clientAddress(trusted: TrustedProxies): ClientAddress {
  const isTrusted =
    trusted === false
      ? () => false
      : typeof trusted === 'number'
        ? (_: string, hop: number) => hop < trusted
        : proxyAddr.compile([...trusted]);
  return (request) => proxyAddr(request, isTrusted);
}

/** The key under which a caller is counted: an IPv4 address, or an IPv6 /64 network, which a single host may own entirely. */
export function callerNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toNormalizedString().split(':', 4).join(':');
}
