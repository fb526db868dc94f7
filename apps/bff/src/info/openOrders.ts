import { INFO_KINDS, servedOpenOrders } from '@l4desk/protocol';
import type { InfoClient } from '../exchange/info-client.ts';
import { checkedKind } from './checked.ts';

/** The resting orders of one wallet (§4.2). */
export const openOrders = (info: InfoClient) =>
  checkedKind({ ...INFO_KINDS.openOrders, type: 'openOrders', info, serve: servedOpenOrders });
