import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { CREDENTIAL_NAME, type Credential, type CredentialKind, inTime, keyHash, type Store } from '@l4desk/ledger';
import { ApiError, ERROR_CATALOGUE } from '@l4desk/protocol';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import proxyAddr from 'proxy-addr';
import type { TrustedProxies } from '../../config/setting-values.ts';
import { type AttemptLimiter, tooMany } from './attempt-limiter.ts';

/** Creates the refusal for a missing or invalid credential (D9). */
export function unauthorized(message = ERROR_CATALOGUE.unauthorized.message, path?: string): ApiError {
  return new ApiError('unauthorized', message, { headers: { 'WWW-Authenticate': 'Bearer' }, path });
}

export interface CredentialCheckDeps {
  readonly store: Pick<Store, 'credentialByHash' | 'credential'>;
  readonly unknown: AttemptLimiter;
  readonly elapsed: () => number;
  /** How long a cached key stays valid while the database is unreachable, in ms. */
  readonly staleMsMax: number;
}

export class CredentialCheck {
  readonly #unknown: AttemptLimiter;
  readonly #byHash: Lookups<Credential>;
  readonly #byId: Lookups<Credential>;

  constructor({ store, unknown, elapsed, staleMsMax }: CredentialCheckDeps) {
    this.#unknown = unknown;
    const common = { staleMsMax, elapsed };
    this.#byHash = new Lookups({ ...common, load: (hash) => store.credentialByHash(hash) });
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
function wrongCredential(needed: CredentialKind, given: CredentialKind, path?: string): ApiError {
  const message = `This requires ${CREDENTIAL_NAME[needed]}; ${CREDENTIAL_NAME[given]} was given.`;
  return new ApiError('wrong_credential', message, { path });
}

/** Creates the refusal of a session without the needed key: none was given at sign-in, or it has been revoked since. */
export function missingInSession(needed: CredentialKind): ApiError {
  const message = `This requires ${CREDENTIAL_NAME[needed]}; the session has no valid one. Sign in again with it.`;
  return new ApiError('wrong_credential', message);
}

/** Returns the client's address. Forwarded addresses are trusted only as far as `TRUST_PROXY` allows. */
export type ClientAddress = (request: IncomingMessage) => string;

/** Like `request.ip` of Express, but without a port, and also for upgrades, which Express does not see. */
export function clientAddress(trusted: TrustedProxies): ClientAddress {
  const isTrusted =
    trusted === false
      ? () => false
      : typeof trusted === 'number'
        ? (_: string, hop: number) => hop < trusted
        : proxyAddr.compile([...trusted]);
  return (request) => withoutPort(proxyAddr(request, (address, hop) => isTrusted(withoutPort(address), hop)));
}

/** Some proxies, such as Azure's gateways, forward the port too: `192.0.2.1:50123` or `[2001:db8::1]:50123`. */
function withoutPort(address: string): string {
  const [, v6, v4] = /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::\d+)?$/i.exec(address) ?? [];
  return v6 ?? v4 ?? address;
}

/** The key under which a caller is counted: an IPv4 address, or an IPv6 /64 network, which a single host may own entirely. */
export function callerNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toNormalizedString().split(':', 4).join(':');
}

/** Maximum cached keys; above it the least recently used are dropped. */
const REMEMBERED_MAX = 10_000;

/** How long a found value is cached: well below the 60 s within which a revoked key must fail. */
const AGE_MS_MAX = 1500;

/** How long a caller waits for the database before it gets the stale value, if there is a usable one. */
const STALE_AFTER_MS = 500;

/** The value found for a key, and when the lookup was made. Without a value the key was removed. */
interface Found<V> {
  readonly value: V | undefined;
  readonly at: number;
}

interface LookupsOptions<V> {
  readonly load: (key: string) => Promise<V | undefined>;
  /** How long a cached value stays valid while the database is unreachable; 0 means `AGE_MS_MAX` as always. */
  readonly staleMsMax: number;
  /** Monotonic time in ms: changing the machine's clock must not extend a value's validity. */
  readonly elapsed: () => number;
}

/** Cached lookups by secret. A missing key is not cached, so that a key that is created later works at once. */
export class Lookups<V> {
  readonly #elapsed: () => number;
  readonly #cache: LRUCache<string, Found<V>>;

  constructor({ load, staleMsMax, elapsed }: LookupsOptions<V>) {
    this.#elapsed = elapsed;
    this.#cache = new LRUCache({
      max: REMEMBERED_MAX,
      ttl: AGE_MS_MAX,
      // A resolution of 0 reads the clock at each use instead of caching its time with a timer.
      ttlResolution: 0,
      perf: { now: elapsed },
      // A key that is removed during its lookup still resolves for those who wait.
      ignoreFetchAbort: true,
      fetchMethod: (key, stale) => {
        const at = elapsed();
        const found = inTime(load(key)).then((value) => (value === undefined ? undefined : { value, at }));
        return stale === undefined || at - stale.at >= staleMsMax ? found : orStale(found, stale);
      },
    });
  }

  async get(key: string): Promise<V | undefined> {
    const found = await this.#cache.fetch(key);
    if (found === undefined) this.#cache.delete(key);
    return found?.value;
  }

  /** From now on the key does not exist, whatever a lookup in flight finds. */
  remove(key: string): void {
    this.#cache.set(key, { value: undefined, at: this.#elapsed() });
  }
}

/** Falls back to the stale value if the database fails, or takes too long. */
function orStale<T>(found: Promise<T>, stale: T): Promise<T> {
  const end = new AbortController();
  const late = sleep(STALE_AFTER_MS, stale, { signal: end.signal });
  return Promise.race([found, late])
    .catch(() => stale)
    .finally(() => end.abort());
}
