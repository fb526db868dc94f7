import { sweep as sweepOf, sweptOrders } from '@l4desk/insight';
import type { PaneComputer } from './pane.ts';

/** What a market order would take. */
export const sweep: PaneComputer<'sweep'> = {
  open:
    () =>
    ({ book }, { side, amount, limit }) => ({
      sweep: sweepOf(book, side, amount),
      orders: sweptOrders(book, side, amount, limit),
    }),
};
