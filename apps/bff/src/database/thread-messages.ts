import type { Store } from '../accounts/store.ts';
import type { DatabaseError } from './libsql.ts';

/** The store's methods, named once, for the thread that runs them and the proxy that stands for it. */
export const STORE_METHODS = [
  'createAccount',
  'accountNamed',
  'listAccounts',
  'createCredential',
  'listCredentials',
  'revokeCredential',
  'credentialByHash',
  'credential',
  'createSession',
  'sessionByHash',
  'session',
  'endSession',
  'createSignInToken',
  'spendSignInToken',
  'deleteExpired',
  'ping',
  'close',
] as const satisfies readonly (keyof Store)[];

export type StoreMethod = (typeof STORE_METHODS)[number];

/** A call for the thread. */
export interface StoreCall {
  readonly id: number;
  readonly method: StoreMethod;
  readonly args: readonly unknown[];
}

/** What the thread says: that it is open or why not, and the answer of each call. */
export type ThreadMessage =
  | { readonly kind: 'open' }
  | { readonly kind: 'failed'; readonly error: ThreadError }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'refusal'; readonly id: number; readonly error: ThreadError };

/** An error as it crosses from thread to thread. */
export interface ThreadError {
  readonly code: DatabaseError['code'];
  readonly message: string;
}
