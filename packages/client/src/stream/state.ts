import type { HttpErrorCode } from '@l4desk/protocol';

/** Why a socket was lost or never opened. */
export type DisconnectReason =
  /** It never opened: no network, or the service refused it. Browsers do not say which. */
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'closed'; readonly code: number; readonly message: string }
  /** Nothing came for longer than `deadAfterMs`, not even a pong. */
  | { readonly kind: 'silent'; readonly silentMs: number }
  /** A message that the protocol does not allow. */
  | { readonly kind: 'malformed'; readonly message: string };

/** Why the stream stopped for good. Only a new `follow` starts it again. */
export type StopReason =
  | { readonly kind: 'closed' }
  /** Close 4401 (AUTH-9), or the upgrade or a snapshot was refused: the credential does not work. */
  | { readonly kind: 'credential'; readonly code: HttpErrorCode; readonly message: string }
  /** Close 4402, or 402: no credits are left (BILL-12). */
  | { readonly kind: 'credits'; readonly message: string };

/** State of the socket. `since` and `retryAt` are in ms since the Unix epoch. */
export type ConnectionState =
  | { readonly kind: 'connecting'; readonly attempt: number; readonly since: number }
  | { readonly kind: 'open'; readonly since: number }
  | {
      readonly kind: 'waiting';
      readonly attempt: number;
      readonly reason: DisconnectReason;
      readonly since: number;
      readonly retryAt: number;
    }
  | { readonly kind: 'stopped'; readonly reason: StopReason; readonly since: number };
