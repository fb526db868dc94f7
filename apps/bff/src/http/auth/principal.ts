import type { IncomingMessage } from 'node:http';
import type { CredentialKind, Payer } from '@l4desk/ledger';
import type { ApiError } from '@l4desk/protocol';

/** On whose behalf a request is served, and by which credential it proved that. */
export type Principal = Payer & {
  readonly kind: CredentialKind;
} & (
    | { readonly via: 'bearer' }
    | { readonly via: 'query' }
    /** A browser's cookie (D34); the session ends with its sign-out. */
    | { readonly via: 'session'; readonly sessionId: string }
  );

/** What a request wants to reach: each endpoint takes its own credential, sent in its own way (§5). */
export type Endpoint = 'info' | 'stream' | 'usage';

export interface Authoriser {
  /**
   * Whom the request is from, or why it is refused: 401 `unauthorized`, 403 `wrong_credential` or `forbidden_origin`,
   * 429 `too_many_attempts`. Reads headers and the URL only. An upgrade is refused with `refuseUpgrade` (D24).
   */
  authorise(request: IncomingMessage, endpoint: Endpoint): Promise<Principal | ApiError>;
  /**
   * Whether a principal would still be let in: its key not revoked, its session not ended (D24, AUTH-23). The result comes
   * from a cache of a few seconds, so that asking often is cheap. Rejects when the database cannot be asked.
   */
  stillValid(principal: Principal): Promise<boolean>;
}
