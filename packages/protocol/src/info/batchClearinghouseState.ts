import { address } from '../primitives.ts';
import { clearinghouseState } from '../upstream/info.ts';
import { z } from '../zod.ts';
import { batchUsers, errorSlot, isErrorSlot } from './batch.ts';
import { dex } from './request.ts';

/**
 * Requests the perp accounts of 1 to 50 wallets (D15). `dex` goes upstream as sent, because each dex has its accounts.
 * Refused: no wallet or more than 50 (path `users`), or not a wallet address (path `users[i]`).
 */
export const batchClearinghouseStateRequest = z.object({
  type: z.literal('batchClearinghouseState'),
  users: batchUsers,
  dex,
});

/** The slot of a wallet that succeeded: `user`, then its perp account as the exchange sent it, unknown fields included. */
export const perpAccountSlot = clearinghouseState
  .extend({ user: address })
  .refine((slot) => !isErrorSlot(slot), 'must not have an error')
  .meta({ id: 'PerpAccountSlot', description: 'perp account of one wallet of a batch' });

export type PerpAccountSlot = z.infer<typeof perpAccountSlot>;

/** Response of `batchClearinghouseState`: slot i belongs to the i-th unique wallet of the request. */
export const batchClearinghouseState = z.array(z.union([errorSlot, perpAccountSlot]));
