import { type Sweep, type SweepAmount, sweep, type TakerSide } from '@l4desk/client';
import { significantDecimalsOf } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import { Command, Option } from 'commander';
import type { ChosenBook, Position } from './chosen-book.ts';
import type { CliContext } from './context.ts';
import { CliFailure, counted, EXIT, table } from './outcome.ts';
import { chosenBook, headLine, positiveArgument, type SnapshotOptions, withSnapshotOptions } from './snapshot.ts';

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
    .option('--sz <size>', 'size of the order, in the coin: a multiple of its lot', positiveArgument)
    .option('--ntl <notional>', 'notional of the order, instead of --sz', positiveArgument)
    .addHelpText(
      'after',
      '\nCosts 1 credit, 2 with --ntl or a size finer than those of the book; nothing with --from.',
    );
  return withSnapshotOptions(command).action(async (options: SweepOptions) => {
    const { side, sz, ntl } = options;
    if ((sz === undefined) === (ntl === undefined)) {
      throw new CliFailure('Specify the amount with either --sz <size> or --ntl <notional>.', EXIT.usage);
    }
    const chosen = await chosenBook(context, options);
    const { position, book, szDecimals } = chosen;
    if (sz !== undefined) await checkLot(chosen, sz);
    const amount: SweepAmount = ntl === undefined ? { sz: sz ?? '0' } : { ntl, szDecimals: await szDecimals() };
    const found = sweep(book, side, amount);
    context.print({ ...position, ...found }, sweepLines(position, found, sz ?? `${ntl} of notional`));
  });
}

/**
 * Throws CliFailure for a size that is no multiple of the coin's lot, if that is known. A size no finer than those in the book is
 * one, so its lot is not asked for.
 */
async function checkLot({ position: { coin }, book, szDecimals, isLotKnown }: ChosenBook, sz: DecimalString) {
  const decimals = significantDecimalsOf(sz);
  if (!isLotKnown || decimals <= book.cursor('B').szScale) return;
  const allowed = await szDecimals();
  if (decimals > allowed) {
    throw new CliFailure(
      `A size of ${coin} has at most ${counted(allowed, 'decimal')}; ${sz} has ${decimals}.`,
      EXIT.usage,
    );
  }
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
