import { coinName } from '../primitives.ts';
import { z } from '../zod.ts';
import { dex, ENDS_BEFORE_START, endsAfterStart, optionalTime, orAbsent, wallet } from './fields.ts';

const OID_PROBLEM = 'must be an oid or a client order id: 0x and 32 hexadecimal digits';

/** An order to look up: its oid, or the client order id it was placed with. */
const oidOrCloid = z.union(
  [z.int(OID_PROBLEM).nonnegative(OID_PROBLEM), z.string().regex(/^0x[0-9a-fA-F]{32}$/, OID_PROBLEM)],
  OID_PROBLEM,
);

/**
 * Requests of the exchange's own kinds that the service passes through (D15), with the fields that the exchange knows;
 * any other is ignored as everywhere (D7): it would only make a call of its own out of one that could be shared. Wallets
 * leave in lower case, and an optional field that is null counts as left out (D7).
 */
export const PASS_THROUGH_REQUESTS = {
  meta: z.object({ type: z.literal('meta'), dex }),
  spotMeta: z.object({ type: z.literal('spotMeta') }),
  metaAndAssetCtxs: z.object({ type: z.literal('metaAndAssetCtxs'), dex }),
  spotMetaAndAssetCtxs: z.object({ type: z.literal('spotMetaAndAssetCtxs') }),
  allMids: z.object({ type: z.literal('allMids'), dex }),
  perpDexs: z.object({ type: z.literal('perpDexs') }),
  l2Book: z.object({
    type: z.literal('l2Book'),
    coin: coinName,
    nSigFigs: orAbsent(z.int().meta({ description: 'significant figures to group by: 2 to 5' })),
    mantissa: orAbsent(z.int().meta({ description: 'step of the last figure, 2 or 5, with nSigFigs 5' })),
  }),
  frontendOpenOrders: z.object({ type: z.literal('frontendOpenOrders'), user: wallet, dex }),
  orderStatus: z.object({ type: z.literal('orderStatus'), user: wallet, oid: oidOrCloid }),
  spotClearinghouseState: z.object({ type: z.literal('spotClearinghouseState'), user: wallet, dex }),
  clearinghouseState: z.object({ type: z.literal('clearinghouseState'), user: wallet, dex }),
  userFunding: z
    .object({ type: z.literal('userFunding'), user: wallet, startTime: optionalTime, endTime: optionalTime })
    .refine(endsAfterStart, ENDS_BEFORE_START),
} as const;

export type PassThroughKind = keyof typeof PASS_THROUGH_REQUESTS;
