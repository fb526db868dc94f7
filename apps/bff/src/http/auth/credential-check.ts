import type { IncomingMessage } from 'node:http';
import { CREDENTIAL_NAME, type Credential, type CredentialKind, keyHash, type Store } from '@l4desk/ledger';
import { ApiError, ERROR_CATALOGUE } from '@l4desk/protocol';
import ipaddr from 'ipaddr.js';
import proxyAddr from 'proxy-addr';
import type { TrustedProxies } from '../../config/setting-values.ts';
import { type AttemptLimiter, tooMany } from './attempt-limiter.ts';
import { Lookups } from './lookups.ts';

/** How long a looked-up key is cached: well below the 60 s within which a revoked key must fail. */
const CREDENTIAL_AGE_MS_MAX = 1500;

/** Creates the refusal for a missing or invalid credential (D9). */
export function unauthorized(message = ERROR_CATALOGUE.unauthorized.message, path?: string): ApiError {
  return new ApiError('unauthorized', message, { headers: { 'WWW-Authenticate': 'Bearer' }, path });
}

export interface CredentialCheckDeps {
  readonly store: Pick<Store, 'credentialsByHash' | 'credential'>;
  readonly unknown: AttemptLimiter;
  readonly elapsed: () => number;
  /** How long a cached key stays valid while the database is unreachable, in ms. */
  readonly staleMsMax: number;
}

/** Looks up and checks credentials. */
export class CredentialCheck {
  readonly #unknown: AttemptLimiter;
  readonly #byHash: Lookups<Credential>;
  readonly #byId: Lookups<Credential>;

  constructor({ store, unknown, elapsed, staleMsMax }: CredentialCheckDeps) {
    this.#unknown = unknown;
    const common = { maxAgeMs: CREDENTIAL_AGE_MS_MAX, staleMsMax, elapsed };
    this.#byHash = new Lookups({ ...common, load: async (hash) => (await store.credentialsByHash([hash]))[0] });
    this.#byId = new Lookups({ ...common, load: (id) => store.credential(id) });
  }

  /** Looks up a key, whatever its caller did before (D47). `path` names the body field that held it. */
  async check(key: string, kind: CredentialKind, address: string, path?: string): Promise<Credential | ApiError> {
    const hash = keyHash(key);
    const credential = hash === undefined ? undefined : await this.#byHash.get(hash);
    if (credential === undefined) return this.refuseUnknown(address, undefined, path);
    if (credential.revokedAt !== null) return unauthorized('The key has been revoked.', path);
    if (credential.kind !== kind) return wrongCredential(kind, credential.kind, path);
    return credential;
  }

  /** Returns the refusal of an unknown credential: 401, or 429 after too many of them from one network. */
  refuseUnknown(address: string, message?: string, path?: string): ApiError {
    const waitMs = this.#unknown.count(callerNetwork(address));
    if (waitMs === undefined) return unauthorized(message, path);
    return tooMany('too_many_attempts', 'Too many unknown credentials from this address', waitMs, path);
  }

  async isActive(id: string): Promise<boolean> {
    const credential = await this.#byId.get(id);
    return credential !== undefined && credential.revokedAt === null;
  }
}

/** Creates a refusal that says which credential is required (D10). */
export function wrongCredential(needed: CredentialKind, given: CredentialKind, path?: string): ApiError {
  const message = `This requires ${CREDENTIAL_NAME[needed]}; ${CREDENTIAL_NAME[given]} was given.`;
  return new ApiError('wrong_credential', message, { path });
}

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
