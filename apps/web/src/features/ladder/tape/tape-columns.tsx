import { useMemo } from 'react';
import type { ListedRow, TapeRow } from '../../../book-worker/panes/past.ts';
import { aligned, columnDecimals, decimalText, wholeText } from '../../../ui/format.ts';
import { useLargest } from '../../../ui/number-width.ts';
import type { TableColumn } from '../../../ui/table/table-column.ts';
import { useTime } from '../../../ui/use-time.ts';
import { OwnerName } from '../../../wallets/wallet-mark.tsx';
import type { TapeResult } from './tape-rows.ts';
import { detailText, gapText, isEmptyLeaving, isTapeRow, kindText, whyText } from './texts.ts';

/** The columns of the tape's changes. A narrow pane leaves out the wallet, then the block, and then cuts what happened. */
export function useTapeColumns(tape: TapeResult | undefined): readonly TableColumn<ListedRow>[] {
  const sizeDecimals = tape?.sizeDecimals ?? 0;
  const { moment } = useTime();
  const prices = useMemo(() => (tape?.rows ?? []).filter(isTapeRow).map(({ px }) => px), [tape]);
  const priceDecimals = useLargest(tape?.generation, columnDecimals(prices));
  return useMemo(() => {
    const of =
      <T,>(value: (row: TapeRow) => T) =>
      (row: ListedRow) =>
        isTapeRow(row) ? value(row) : undefined;
    const priceOf = ({ side, px }: TapeRow) => `${side} ${aligned(px, priceDecimals)}`;
    return [
      {
        id: 'block',
        title: 'block',
        hint: 'The block of the change',
        width: 60,
        leaves: 1,
        align: 'end',
        text: (row) => ('gap' in row ? 'gap' : wholeText(row.height)),
        lookOf: (row) => ('gap' in row ? 'text-stale' : 'text-dim'),
        hintOf: of(({ time }) => moment(time)),
      },
      {
        id: 'what',
        title: 'what',
        hint: 'What happened to the order: * where it is concluded from the change, ↻ where it took the place of another',
        width: 92,
        least: 52,
        grow: true,
        copied: (row) =>
          isTapeRow(row) ? `${kindText(row.kind, row.inferred)} ${detailText(row)}`.trim() : gapText(row),
        cell: (row) =>
          isTapeRow(row) ? (
            <>
              {kindText(row.kind, row.inferred)} <span className="truncate text-dim">{detailText(row)}</span>
            </>
          ) : (
            gapText(row)
          ),
        lookOf: (row) => ('gap' in row ? 'text-stale' : undefined),
        hintOf: (row) => ('gap' in row ? row.gap.reason : isTapeRow(row) ? blockAndWhy(row) : undefined),
      },
      {
        id: 'px',
        title: 'price',
        hint: 'Limit price: A rests as an ask, B as a bid',
        width: 88,
        align: 'end',
        copied: of(({ side, px }) => `${side} ${px}`),
        // The letter tells the sides apart without their colour.
        text: (row) => of(priceOf)(row) ?? '',
        lookOf: of(({ side }) => (side === 'B' ? 'text-bid' : 'text-ask')),
      },
      {
        id: 'sz',
        title: 'size',
        hint: 'Size that was added, canceled or executed',
        width: 72,
        align: 'end',
        text: (row) => of((change) => (isEmptyLeaving(change) ? '—' : decimalText(change.sz, sizeDecimals)))(row) ?? '',
      },
      {
        id: 'user',
        title: 'wallet',
        hint: 'The owner of the order',
        width: 100,
        leaves: 2,
        copied: of(({ user }) => user),
        cell: of(({ user }) => <OwnerName user={user} hasHint={false} />),
        hintOf: of(({ user }) => user),
      },
    ];
  }, [sizeDecimals, priceDecimals, moment]);
}

/** A narrow pane has no other place for the block. */
function blockAndWhy(row: TapeRow): string {
  const why = whyText(row);
  return `block ${wholeText(row.height)}${why === '' ? '' : `: ${why}`}`;
}
