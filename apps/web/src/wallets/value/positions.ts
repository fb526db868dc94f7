import { compare, divide, subtract } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import type { Value } from './use-value.ts';
import type { Position, Worth } from './worth.ts';

/** A position of a wallet, with the mark of its coin. */
export interface PositionRow {
  readonly key: string;
  readonly entry: Worth['entry'];
  readonly position: Position;
  readonly mark: DecimalString | undefined;
  /** How far the mark is from the liquidation price, as a fraction of the mark; undefined without one of the two. */
  readonly distance: DecimalString | undefined;
}

export function positionRows({ worths, marks }: Pick<Value, 'worths' | 'marks'>): readonly PositionRow[] {
  return worths.flatMap(({ entry, positions }) =>
    positions.map((position): PositionRow => {
      const { coin, liquidationPx } = position;
      const mark = marks.of.get(coin);
      const away = mark === undefined || liquidationPx === undefined ? undefined : subtract(mark, liquidationPx);
      const distance = away && mark && divide(away.replace('-', '') as DecimalString, mark, 4);
      return { key: `${entry.wallet.address} ${coin}`, entry, position, mark, distance };
    }),
  );
}

/** Whether the mark is within a tenth of itself from liquidation. */
export function isNear(distance: DecimalString): boolean {
  return compare(distance, '0.1') < 0;
}
