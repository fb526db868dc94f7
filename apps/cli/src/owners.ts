import { type OwnerShare, owners } from '@l4desk/client';
import type { DecimalString } from '@l4desk/protocol';
import { Command } from 'commander';
import type { CliContext } from './context.ts';
import { table } from './outcome.ts';
import { amountArgument, chosenBook, headLine, type SnapshotOptions, withSnapshotOptions } from './snapshot.ts';

interface OwnersOptions extends SnapshotOptions {
  readonly withinBps: DecimalString;
}

/** `owners`: the wallets near the mid price, by resting size. */
export function ownersCommand(context: CliContext): Command {
  const command = new Command('owners')
    .description('list the wallets with orders near the mid, largest size first')
    .option('--within-bps <distance>', 'distance from the mid in basis points', amountArgument, '10')
    .addHelpText('after', '\nCosts 1 credit; nothing with --from.');
  return withSnapshotOptions(command).action(async (options: OwnersOptions) => {
    const { position, book } = await chosenBook(context, options);
    const found = owners(book, options.withinBps);
    const { mid, withinBps, bids, asks } = found;
    context.print({ ...position, ...found }, [
      headLine(position, mid === null ? 'no mid: a side is empty' : `mid ${mid}`, `within ${withinBps} bps`),
      ...(bids.length + asks.length === 0 ? ['No orders.'] : ownersTable(bids, asks)),
    ]);
  });
}

function ownersTable(bids: readonly OwnerShare[], asks: readonly OwnerShare[]): string[] {
  const rows = (side: string, shares: readonly OwnerShare[]) =>
    shares.map(({ user, orders, sz, share }) => [side, orders, sz, share, user ?? 'not named']);
  return table(
    ['SIDE', 'ORDERS', 'SIZE', 'SHARE', 'OWNER'],
    [...rows('bid', bids), ...rows('ask', asks)],
    ['SIZE', 'SHARE'],
  );
}
