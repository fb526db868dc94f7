import type { IncomingMessage } from 'node:http';
import type { CredentialKind, Payer } from '@l4desk/ledger';
import type { ApiError } from '@l4desk/protocol';

/** The account a request is served for, and the credential that authorised it. */
export type Principal = Payer & {
  readonly kind: CredentialKind;
} & (
    | { readonly via: 'bearer' }
    | { readonly via: 'query' }
    /** A browser's session cookie (D34). The session ends when the browser signs out. */
    | { readonly via: 'session'; readonly sessionId: string }
  );

/** The requested endpoint. Each takes its own kind of credential, sent in its own way (§5). */
export type Endpoint = 'info' | 'stream' | 'usage';

export interface Authoriser {
  /**
   * Resolves with the principal of the request, or with the refusal: 401 `unauthorized`, 403 `wrong_credential` or
   * `forbidden_origin`, 429 `too_many_attempts`. Reads only headers and the URL. To refuse an upgrade, use
   * `refuseUpgrade` (D24).
   */
  authorise(request: IncomingMessage, endpoint: Endpoint): Promise<Principal | ApiError>;
  /**
   * Whether a principal is still authorised: its key is not revoked and its session has not ended (D24, AUTH-23). Results
   * are cached for a few seconds, so frequent calls are cheap. Rejects if the database is unreachable.
   */
  stillValid(principal: Principal): Promise<boolean>;
}
