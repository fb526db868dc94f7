import { significantDecimalsOf } from '@l4desk/decimal';
import type { Sweep } from '../../../book-worker/panes/sweep.ts';
import { counted, grouped } from '../../../ui/format.ts';
import type { SweepChoice } from '../search.ts';

/** The name of the amount, as the label of its field. A sell at a limit goes down to it. */
export function amountLabel({ side, measure }: Pick<SweepChoice, 'side' | 'measure'>): string {
  if (measure === 'to') return side === 'buy' ? 'Up to price' : 'Down to price';
  return measure === 'sz' ? 'Size' : 'Notional';
}

/** Why no market order of this amount can be sent, as an instruction; undefined if one can. `lotDecimals` is undefined while unknown. */
export function amountProblem(
  { measure, amount }: SweepChoice,
  coin: string,
  lotDecimals: number | undefined,
): string | undefined {
  if (measure === 'to') return undefined;
  if (!/[1-9]/.test(amount)) return 'Enter an amount above zero.';
  if (measure === 'ntl' || lotDecimals === undefined || significantDecimalsOf(amount) <= lotDecimals) return undefined;
  return lotDecimals === 0
    ? `Enter a whole number: sizes of ${coin} have no decimals.`
    : `Enter at most ${counted(lotDecimals, 'decimal')}, as sizes of ${coin} have.`;
}

/** Why a market order takes nothing; undefined if it takes something. */
export function untakenText({ side, measure, amount }: SweepChoice, sweep: Sweep): string | undefined {
  if (sweep.orders > 0) return undefined;
  const rests = side === 'buy' ? 'ask' : 'bid';
  if (sweep.bestPx === null) return `There is no ${rests}.`;
  const best = `the best ${rests} is ${grouped(sweep.bestPx)}`;
  if (measure === 'to') return `No ${rests} at ${grouped(amount)} or ${side === 'buy' ? 'below' : 'above'}: ${best}.`;
  return `The amount is below one lot: ${best}.`;
}
