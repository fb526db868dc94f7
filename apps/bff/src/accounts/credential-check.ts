import { ServiceError } from '../http/errors.ts';
import type { CredentialKind } from '../http/principal.ts';
import type { FailureLimiter } from './failure-limiter.ts';
import { keyHash } from './keys.ts';
import { ShortCache } from './short-cache.ts';
import type { Credential, Store } from './store.ts';

/** What each kind of credential is called in messages. */
export const CREDENTIAL_NAME = { api: 'an API key', service: 'a ServiceKey' } as const satisfies Record<
  CredentialKind,
  string
>;

/** How long a looked-up key is believed: well below the 60 s within which a revoked one must fail (AUTH-10). */
const CREDENTIAL_AGE_MS_MAX = 2000;

/** A refusal for a missing or useless credential (D9). */
export function unauthorized(message: string, path?: string): ServiceError {
  return new ServiceError('unauthorized', message, {
    headers: { 'WWW-Authenticate': 'Bearer' },
    ...(path === undefined ? {} : { path }),
  });
}

/** Tells whose a key is. */
export class CredentialCheck {
  readonly #store: Store;
  readonly #limiter: FailureLimiter;
  readonly #byHash: ShortCache<Credential>;
  readonly #byId: ShortCache<Credential>;
  /** Hashes of keys that were good before: a caller that is told to wait does not lose those (they bound themselves). */
  readonly #seenGood = new Set<string>();

  constructor(store: Store, limiter: FailureLimiter, now: () => number) {
    this.#store = store;
    this.#limiter = limiter;
    this.#byHash = new ShortCache(CREDENTIAL_AGE_MS_MAX, now);
    this.#byId = new ShortCache(CREDENTIAL_AGE_MS_MAX, now);
  }

  /**
   * The credential of a key that must be of one kind, or why it is refused. `path` names the field of a body it came in.
   * Failures are counted against the caller; beyond the limit only keys that were good before are looked up.
   */
  async check(key: string, kind: CredentialKind, address: string, path?: string): Promise<Credential | ServiceError> {
    const hash = keyHash(key);
    if (hash === undefined || !this.#seenGood.has(hash)) {
      const wait = await this.#limiter.refusal(address);
      if (wait !== undefined) return wait;
    }
    const credential =
      hash === undefined ? undefined : await this.#byHash.get(hash, (wanted) => this.#store.credentialByHash(wanted));
    if (hash === undefined || credential === undefined || credential.revokedAt !== null) {
      if (hash !== undefined) this.#seenGood.delete(hash);
      const sentence = credential === undefined ? 'The key is not known.' : 'The key has been revoked.';
      return (await this.#limiter.count(address)) ?? unauthorized(sentence, path);
    }
    this.#seenGood.add(hash);
    if (credential.kind !== kind) return wrongCredential(kind, credential.kind, path);
    return credential;
  }

  /** Whether a credential that was good is still. */
  async isActive(id: string): Promise<boolean> {
    const credential = await this.#byId.get(id, (wanted) => this.#store.credential(wanted));
    return credential !== undefined && credential.revokedAt === null;
  }
}

/** A refusal that says which credential is needed (D10). */
export function wrongCredential(needed: CredentialKind, given: CredentialKind, path?: string): ServiceError {
  const message = `This needs ${CREDENTIAL_NAME[needed]}; ${CREDENTIAL_NAME[given]} was given.`;
  return new ServiceError('wrong_credential', message, path === undefined ? {} : { path });
}
