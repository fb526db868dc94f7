import { sum } from '@l4desk/decimal';
import { useMemo } from 'react';
import type { BlockRow, ListedRow } from '../../../book-worker/panes/past.ts';
import { counted, decimalText, wholeText } from '../../../ui/format.ts';
import { longest, numberWidth, useLargest } from '../../../ui/number-width.ts';
import type { TableColumn } from '../../../ui/table/table-column.ts';
import { useTime } from '../../../ui/use-time.ts';
import { TAPE_KINDS } from '../search.ts';
import type { TapeResult } from './tape-rows.ts';
import { KINDS_OF, kindText, TAPE_KIND_TEXTS, type TapeKind, unseenText } from './texts.ts';

/** Widths in px; of sums at least. */
const WIDTHS = { time: 116, sums: 84 } as const;

interface SumColumn {
  readonly id: string;
  readonly title: string;
  readonly hint: string;
  readonly of: readonly (keyof BlockRow['sums'])[];
  readonly look?: string;
}

/** In this order they are left out where there is no room, from the last one on. */
const OF_CHANGES: readonly SumColumn[] = (['executed', 'added', 'canceled', 'requoted', 'resized'] as const).map(
  (kind) => ({
    id: kind,
    title: TAPE_KIND_TEXTS[kind].toLowerCase(),
    hint: `${TAPE_KIND_TEXTS[kind]}: number of changes, and the sum of their sizes`,
    of: KINDS_OF[kind],
  }),
);

const taken = (side: 'buy' | 'sell', look: string): SumColumn => ({
  id: side,
  title: `${side}s`,
  hint: `Resting orders that ${side}s took from, and the size they took`,
  of: [side],
  look,
});

const OF_PRINTS: readonly SumColumn[] = [taken('buy', 'text-bid'), taken('sell', 'text-ask')];

export const isBlockRow = (row: ListedRow): row is BlockRow => 'lines' in row;

/** The columns of a tape with one line a block: of the chosen `kinds`, or of prints. */
export function useBlockColumns(
  tape: TapeResult | undefined,
  rows: readonly ListedRow[],
  kinds: readonly TapeKind[] | 'prints',
): readonly TableColumn<ListedRow>[] {
  const decimals = tape?.sizeDecimals ?? 0;
  const { clock, moment } = useTime();
  const shown = useMemo(() => {
    if (kinds === 'prints') return OF_PRINTS;
    return kinds.length === 0 ? OF_CHANGES : OF_CHANGES.filter(({ id }) => kinds.some((kind) => kind === id));
  }, [kinds]);
  const texts = useMemo(
    () => rows.filter(isBlockRow).flatMap((row) => shown.map(({ of }) => sumsText(row, of, decimals))),
    [rows, shown, decimals],
  );
  const width = numberWidth(useLargest(tape?.generation, longest(texts)), WIDTHS.sums);
  return useMemo(
    () => [
      {
        id: 'time',
        title: 'time',
        width: WIDTHS.time,
        hint: 'Time of the block; a press shows the book there, and its single lines',
        cell: (row) => (isBlockRow(row) ? clock(row.time) : 'gap'),
        lookOf: (row) => (isBlockRow(row) ? 'num text-dim' : 'text-stale'),
        hintOf: (row) =>
          isBlockRow(row)
            ? `Block ${wholeText(row.height)}, ${moment(row.time)}\n${wholeSums(row, decimals)}`
            : 'gap' in row
              ? row.gap.reason
              : undefined,
      },
      ...shown.map(
        ({ id, title, hint, of, look }, index): TableColumn<ListedRow> => ({
          id,
          title,
          hint,
          width,
          leaves: index,
          align: 'end',
          grow: true,
          cell: (row) =>
            isBlockRow(row) ? sumsText(row, of, decimals) : 'gap' in row && index === 0 ? unseenText(row.gap) : '',
          lookOf: (row) => (isBlockRow(row) ? look : 'text-stale'),
        }),
      ),
    ],
    [shown, width, decimals, clock, moment],
  );
}

/** `12 · 3.40000`: how many, and how much; empty for none. */
function sumsText({ sums }: BlockRow, kinds: SumColumn['of'], decimals: number): string {
  const found = kinds.flatMap((kind) => sums[kind] ?? []).filter(({ count }) => count > 0);
  if (found.length === 0) return '';
  const count = found.reduce((total, one) => total + one.count, 0);
  const star = found.some(({ inferred = 0 }) => inferred > 0) ? '*' : '';
  return `${wholeText(count)} · ${decimalText(sum(found.map(({ sz }) => sz)), decimals)}${star}`;
}

/** Every kind on a line of its own. */
function wholeSums({ sums }: BlockRow, decimals: number): string {
  const lines = TAPE_KINDS.flatMap((kind) => KINDS_OF[kind]).flatMap((kind) => {
    const { count = 0, sz = '0', inferred = 0 } = sums[kind] ?? {};
    return count === 0
      ? []
      : `${kindText(kind, inferred > 0)} ${counted(count, 'change')}, ${decimalText(sz, decimals)}`;
  });
  return lines.join('\n');
}
