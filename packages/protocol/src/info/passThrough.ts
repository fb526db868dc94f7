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
 * Requests of the exchange's own kinds that the service passes through (D15). Only what the service answers for is
 * checked: wallets, which leave in lower case, coins, times and types. Everything else goes upstream as it came, fields
 * that are not named here included; a named optional field that is null counts as left out (D7).
 */
export const PASS_THROUGH_REQUESTS = {
  meta: z.looseObject({ type: z.literal('meta'), dex }),
  spotMeta: z.looseObject({ type: z.literal('spotMeta') }),
  metaAndAssetCtxs: z.looseObject({ type: z.literal('metaAndAssetCtxs'), dex }),
  spotMetaAndAssetCtxs: z.looseObject({ type: z.literal('spotMetaAndAssetCtxs') }),
  allMids: z.looseObject({ type: z.literal('allMids'), dex }),
  perpDexs: z.looseObject({ type: z.literal('perpDexs') }),
  l2Book: z.looseObject({
    type: z.literal('l2Book'),
    coin: coinName,
    nSigFigs: orAbsent(z.int().meta({ description: 'significant figures to group by: 2 to 5' })),
    mantissa: orAbsent(z.int().meta({ description: 'step of the last figure, 2 or 5, with nSigFigs 5' })),
  }),
  frontendOpenOrders: z.looseObject({ type: z.literal('frontendOpenOrders'), user: wallet, dex }),
  orderStatus: z.looseObject({ type: z.literal('orderStatus'), user: wallet, oid: oidOrCloid }),
  spotClearinghouseState: z.looseObject({ type: z.literal('spotClearinghouseState'), user: wallet, dex }),
  clearinghouseState: z.looseObject({ type: z.literal('clearinghouseState'), user: wallet, dex }),
  userFunding: z
    .looseObject({ type: z.literal('userFunding'), user: wallet, startTime: optionalTime, endTime: optionalTime })
    .refine(endsAfterStart, ENDS_BEFORE_START),
} as const;

export type PassThroughKind = keyof typeof PASS_THROUGH_REQUESTS;
