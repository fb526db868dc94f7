import { type OrderPlace, queuePlaces } from '@l4desk/client';
import { type Address, address, lowerCaseAddress } from '@l4desk/protocol';
import { Command } from 'commander';
import type { CliContext } from './context.ts';
import { argument, counted, table } from './outcome.ts';
import { chosenBook, headLine, type SnapshotOptions, withSnapshotOptions } from './snapshot.ts';

/** `queue`: the queue positions of a wallet's orders at their prices. */
export function queueCommand(context: CliContext): Command {
  const command = new Command('queue')
    .description('show the queue position of each order of a wallet')
    .argument('<wallet>', 'wallet address', argument(address))
    .addHelpText('after', '\nCosts 1 credit; nothing with --from.');
  return withSnapshotOptions(command).action(async (wallet: Address, options: SnapshotOptions) => {
    const { position, book } = await chosenBook(context, options);
    const orders = queuePlaces(book, wallet);
    context.print({ ...position, orders }, [
      headLine(position, `${counted(orders.length, 'order')} of ${lowerCaseAddress(wallet)}`),
      ...(orders.length === 0 ? [] : placesTable(orders)),
    ]);
  });
}

const DECIMALS = ['PRICE', 'SIZE', 'SIZE AHEAD', 'LEVEL SIZE'];

function placesTable(orders: readonly OrderPlace[]): string[] {
  return table(
    ['SIDE', 'PRICE', 'SIZE', 'ORDERS AHEAD', 'SIZE AHEAD', 'LEVEL ORDERS', 'LEVEL SIZE', 'OID'],
    orders.map(({ side, limitPx, sz, ordersAhead, szAhead, levelOrders, levelSz, oid }) => {
      const name = side === 'B' ? 'bid' : 'ask';
      return [name, limitPx, sz, ordersAhead, szAhead, levelOrders, levelSz, String(oid)];
    }),
    DECIMALS,
  );
}
