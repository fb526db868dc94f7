import { INFO_KINDS, servedOpenOrders } from '@l4desk/protocol';
import { type CheckedDeps, checkedKind } from './checked.ts';

/** The resting orders of one wallet (§4.2). */
export const openOrders = (deps: CheckedDeps) =>
  checkedKind({ ...INFO_KINDS.openOrders, type: 'openOrders', ...deps, serve: servedOpenOrders });
