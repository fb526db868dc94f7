import type { Address, WireFormatError } from '@l4desk/protocol';
import type { ServiceError, TransportError, WalletError } from '../errors.ts';
import type { QueryOptions } from '../transport.ts';

/** The result for one wallet. `user` is in lower case. Every `error` has a `code`, a `message` and `retryable`. */
export type WalletResult<State> =
  | { readonly kind: 'state'; readonly user: Address; readonly state: State }
  | {
      readonly kind: 'failed';
      readonly user: Address;
      /** WalletError: this wallet failed. Any other: the call failed, and with it up to 50 wallets. */
      readonly error: WalletError | ServiceError | TransportError | WireFormatError;
    };

/** The results for many wallets. */
export interface WalletStates<State> {
  /** One per wallet, without duplicates (ignoring letter case), in the order in which they were first named. */
  readonly results: readonly WalletResult<State>[];
  /** The wallets that failed in a way that a retry may fix: pass them as `users` of the retry. */
  readonly retryable: readonly Address[];
  /** How many calls succeeded. */
  readonly calls: number;
  /** What those calls cost. A call whose response was lost may have been charged too. */
  readonly credits: number;
}

/** Progress of the calls. */
export interface WalletsProgress {
  readonly walletsDone: number;
  readonly walletsTotal: number;
  /** Credits spent so far. */
  readonly credits: number;
}

/** How to query many wallets: options of each call, and of all calls together. */
export interface WalletsOptions extends QueryOptions {
  /** The most calls in flight at once, from 1; 4 by default. */
  readonly parallel?: number;
  /** Called after every call. */
  readonly onProgress?: (progress: WalletsProgress) => void;
}
