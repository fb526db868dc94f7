import { INFO_KINDS, servedMaxMarketOrderNtls } from '@l4desk/protocol';
import { type CheckedDeps, checkedKind } from './checked.ts';

/** The largest market orders that the exchange accepts, by leverage (§4.4). */
export const maxMarketOrderNtls = (deps: CheckedDeps) =>
  checkedKind({
    ...INFO_KINDS.maxMarketOrderNtls,
    type: 'maxMarketOrderNtls',
    ...deps,
    serve: servedMaxMarketOrderNtls,
  });
