import { z } from '@l4desk/protocol';
import { user } from './fields.ts';
import { infoKind } from './kind.ts';

/** The exchange returns at most this many executions at once. */
export const FILLS_MAX = 2_000;

/** A wallet's last executions, newest first: one for each side of a trade. `aggregateByTime` is ignored. */
export const userFills = infoKind({
  type: 'userFills',
  weight: 20,
  itemsCost: true,
  request: z.object({ user }),
  respond: ({ user: of }, exchange) => exchange.fills(of).slice(0, FILLS_MAX),
});
