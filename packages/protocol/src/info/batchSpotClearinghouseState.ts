import { address } from '../primitives.ts';
import { spotClearinghouseState } from '../upstream/info.ts';
import { z } from '../zod.ts';
import { batchUsers, errorSlot, isErrorSlot } from './batch.ts';

/**
 * Requests the spot balances of 1 to 50 wallets in one call (§4.1), each once, in any letter case. `dex` is dropped
 * (D16). Refused: no wallet or more than 50 (path `users`), or not a wallet address (path `users[i]`).
 */
export const batchSpotClearinghouseStateRequest = z
  .object({
    type: z.literal('batchSpotClearinghouseState'),
    users: batchUsers,
    dex: z.string().nullish().meta({ description: 'reserved: pass an empty string or leave it out' }),
  })
  .transform(({ type, users }) => ({ type, users }));

/** The slot of a wallet that succeeded: `user`, then its state as the exchange sent it, without `error` (§2.1). */
export const spotBalanceSlot = spotClearinghouseState
  .extend({ user: address })
  .refine((slot) => !isErrorSlot(slot), 'must not have an error')
  .meta({ id: 'SpotBalanceSlot', description: 'spot balances of one wallet of a batch' });

export type SpotBalanceSlot = z.infer<typeof spotBalanceSlot>;

/** Response of `batchSpotClearinghouseState`: slot i belongs to the i-th unique wallet of the request (§4.1). */
export const batchSpotClearinghouseState = z.array(z.union([errorSlot, spotBalanceSlot]));

export type BatchSpotClearinghouseState = z.infer<typeof batchSpotClearinghouseState>;
