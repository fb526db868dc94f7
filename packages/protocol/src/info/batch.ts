import { BATCH_WALLETS_MAX } from '../limits.ts';
import { type Address, address } from '../primitives.ts';
import { z } from '../zod.ts';
import { lowerCaseAddress, wallet } from './request.ts';

/** The wallets in lower case, each once, at its first place: slot i belongs to wallet i (§4.1). */
export function uniqueWallets(users: readonly Address[]): Address[] {
  return [...new Set(users.map(lowerCaseAddress))];
}

/** 1 to 50 wallets. */
export const batchWallets = z
  .array(wallet)
  .min(1, `must contain 1 to ${BATCH_WALLETS_MAX} wallets`)
  .max(BATCH_WALLETS_MAX, `must contain 1 to ${BATCH_WALLETS_MAX} wallets`);

/** The `users` of a batch of our own, counted before duplicates are removed (D6). */
export const batchUsers = batchWallets.transform(uniqueWallets);

/**
 * The slot of a wallet that failed (§2.1, §7). `message` is `upstream_error: <text>`, `upstream returned HTTP <status>`
 * or `overall batch timeout exceeded`.
 */
export const errorSlot = z
  .looseObject({
    error: z.literal('upstream_error'),
    user: address.refine((user) => user === lowerCaseAddress(user), 'must be in lower case'),
    message: z.string(),
  })
  .meta({ id: 'ErrorSlot', description: 'a wallet of a batch that failed' });

/** The slot of a wallet that failed, in a batch where others may have succeeded; `user` in lower case. */
export type ErrorSlot = z.infer<typeof errorSlot>;

/** Whether a slot of a batch failed. Check this before reading any other field of a slot (§4.1). */
export function isErrorSlot(slot: object): slot is ErrorSlot {
  return 'error' in slot;
}

/** The success slot of a wallet: `user` in lower case as the first key, then the state as the exchange sent it (D16). */
export function successSlot<State extends object>(user: Address, state: State): State & { user: Address } {
  const first = { user: lowerCaseAddress(user) };
  return Object.assign({ ...first }, state, first);
}
