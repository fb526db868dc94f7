import { type Sweep, type SweepAmount, sweep, type TakerSide } from '@l4desk/client';
import type { DecimalString } from '@l4desk/protocol';
import { Command, Option } from 'commander';
import type { Position } from './chosen-book.ts';
import type { CliContext } from './context.ts';
import { CliFailure, counted, EXIT, table } from './outcome.ts';
import { amountArgument, chosenBook, headLine, type SnapshotOptions, withSnapshotOptions } from './snapshot.ts';

interface SweepOptions extends SnapshotOptions {
  readonly side: TakerSide;
  readonly sz?: DecimalString;
  readonly ntl?: DecimalString;
}

/** `sweep`: what a market order would take from the current book. */
export function sweepCommand(context: CliContext): Command {
  const command = new Command('sweep')
    .description('show what a market order would take of the current book')
    .addOption(new Option('--side <side>', 'side of the order').choices(['buy', 'sell']).makeOptionMandatory())
    .option('--sz <size>', 'size of the order, in the coin', amountArgument)
    .option('--ntl <notional>', 'notional of the order, instead of --sz', amountArgument)
    .addHelpText('after', '\nCosts 1 credit, 2 with --ntl; nothing with --from.');
  return withSnapshotOptions(command).action(async (options: SweepOptions) => {
    const { side, sz, ntl } = options;
    if ((sz === undefined) === (ntl === undefined)) {
      throw new CliFailure('Specify the amount with either --sz <size> or --ntl <notional>.', EXIT.usage);
    }
    const { position, book, szDecimals } = await chosenBook(context, options);
    const amount: SweepAmount = ntl === undefined ? { sz: sz ?? '0' } : { ntl, szDecimals: await szDecimals() };
    const found = sweep(book, side, amount);
    context.print({ ...position, ...found }, sweepLines(position, found, sz ?? `${ntl} of notional`));
  });
}

function sweepLines(position: Position, found: Sweep, amount: string): string[] {
  const { side, filledSz, filledNtl, unfilled, vwap, bestPx, worstPx, slippageBps, orders, levels, owners } = found;
  const or = (text: string | null) => text ?? '–';
  return [
    headLine(position, `${side} ${amount}`),
    `filled    ${filledSz} for ${filledNtl}, unfilled ${unfilled}`,
    `price     ${or(vwap)} on average, ${or(bestPx)} at best, ${or(worstPx)} at worst`,
    `slippage  ${or(slippageBps)} bps`,
    `taken     ${counted(orders, 'order')}, ${counted(levels, 'level')}, ${counted(owners.length, 'owner')}`,
    ...(owners.length === 0
      ? []
      : table(
          ['ORDERS', 'SIZE', 'OWNER'],
          owners.map((owner) => [owner.orders, owner.sz, owner.user ?? 'not named']),
          ['SIZE'],
        )),
  ];
}
