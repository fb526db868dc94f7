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
  /** Resolves with the principal, or with the refusal (401, 403 or 429). Reads only headers and the URL. */
  authorise(request: IncomingMessage, endpoint: Endpoint): Promise<Principal | ApiError>;
  /** Whether the key is not revoked and the session has not ended (D24, AUTH-23). Rejects without a database. */
  stillValid(principal: Principal): Promise<boolean>;
}
