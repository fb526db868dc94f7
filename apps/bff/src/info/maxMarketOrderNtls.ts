import { INFO_KINDS, servedMaxMarketOrderNtls } from '@l4desk/protocol';
import type { InfoClient } from '../exchange/info-client.ts';
import { checkedKind } from './checked.ts';

/** The largest market orders that the exchange accepts, by leverage (§4.4). */
export const maxMarketOrderNtls = (info: InfoClient) =>
  checkedKind({ ...INFO_KINDS.maxMarketOrderNtls, type: 'maxMarketOrderNtls', info, serve: servedMaxMarketOrderNtls });
