import type { Address, WireFormatError } from '@l4desk/protocol';
import type { ServiceError, TransportError, WalletError } from '../errors.ts';
import type { QueryOptions } from '../transport.ts';

/** The outcome for one wallet; `user` is in lower case. Every `error` has a `code`, a `message` and `retryable`. */
export type WalletResult<State> =
  | { readonly kind: 'state'; readonly user: Address; readonly state: State }
  | {
      readonly kind: 'failed';
      readonly user: Address;
      /** WalletError: this wallet failed. Any other: its call did, and with it up to 50 wallets. */
      readonly error: WalletError | ServiceError | TransportError | WireFormatError;
    };

/** The outcome for many wallets. */
export interface WalletStates<State> {
  /** One a wallet, duplicates removed whatever their letter case, in the order they were first named. */
  readonly results: readonly WalletResult<State>[];
  /** The wallets that failed in a way that a retry may fix: the `users` of that try. */
  readonly retryable: readonly Address[];
  /** How many calls succeeded. */
  readonly calls: number;
  /** What those cost. A call whose response was lost on the way may have been charged too. */
  readonly credits: number;
}

/** How far the calls have come. */
export interface WalletsProgress {
  readonly walletsDone: number;
  readonly walletsTotal: number;
  /** Spent so far. */
  readonly credits: number;
}

/** How many wallets are asked: the options of each call, and of all together. */
export interface WalletsOptions extends QueryOptions {
  /** Most calls under way at once, from 1; 4 by default. */
  readonly parallel?: number;
  /** Called after every call. */
  readonly onProgress?: (progress: WalletsProgress) => void;
}
