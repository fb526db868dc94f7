import { sum } from '@l4desk/decimal';
import { useMemo } from 'react';
import type { BlockRow, ListedRow } from '../../../book-worker/panes/past.ts';
import { counted, decimalText, wholeText } from '../../../ui/format.ts';
import type { TableColumn } from '../../../ui/table/table-column.ts';
import { useTime } from '../../../ui/use-time.ts';
import { gapText, KINDS_OF, kindText, TAPE_KIND_TEXTS, type TapeKind } from './texts.ts';

const WIDTHS = { time: 116, sums: 84 } as const;

type SumKey = keyof BlockRow['sums'];

interface SumColumn {
  readonly id: string;
  readonly title: string;
  readonly hint: string;
  readonly of: readonly SumKey[];
  /** What is counted, one of them. */
  readonly one: string;
  readonly look?: string;
}

/** In this order they are left out where there is no room, from the last one on. */
const OF_CHANGES: readonly SumColumn[] = (['executed', 'added', 'canceled', 'requoted', 'resized'] as const).map(
  (kind) => ({
    id: kind,
    title: TAPE_KIND_TEXTS[kind].toLowerCase(),
    hint: `${TAPE_KIND_TEXTS[kind]}: number of changes, and the sum of their sizes${
      kind === 'requoted' ? '; the order that left and the one that replaces it are two changes' : ''
    }`,
    of: KINDS_OF[kind],
    one: 'change',
  }),
);

const taken = (side: 'buy' | 'sell', look: string): SumColumn => ({
  id: side,
  title: `${side}s`,
  hint: `Resting orders that ${side}s took from, and the size they took`,
  of: [side],
  one: 'resting order',
  look,
});

const OF_PRINTS: readonly SumColumn[] = [taken('buy', 'text-bid'), taken('sell', 'text-ask')];

export const isBlockRow = (row: ListedRow): row is BlockRow => 'lines' in row;

/** The columns of a tape with one line a block: of the chosen `kinds`, or of prints. */
export function useBlockColumns(
  decimals: number,
  kinds: readonly TapeKind[] | 'prints',
): readonly TableColumn<ListedRow>[] {
  const { clock, moment } = useTime();
  const shown = useMemo(() => {
    if (kinds === 'prints') return OF_PRINTS;
    return kinds.length === 0 ? OF_CHANGES : OF_CHANGES.filter(({ id }) => kinds.some((kind) => kind === id));
  }, [kinds]);
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
            ? [`Block ${wholeText(row.height)}, ${moment(row.time)}`, ...wholeSums(row, shown, decimals)].join('\n')
            : 'gap' in row
              ? row.gap.reason
              : undefined,
      },
      ...shown.map(
        ({ id, title, hint, of, look }, index): TableColumn<ListedRow> => ({
          id,
          title,
          hint,
          width: WIDTHS.sums,
          leaves: index,
          align: 'end',
          grow: true,
          text: (row) => (isBlockRow(row) ? sumsText(row, of, decimals) : ''),
          ...(index === 0
            ? { cell: (row: ListedRow) => (isBlockRow(row) ? sumsText(row, of, decimals) : gapText(row)) }
            : {}),
          lookOf: (row) => (isBlockRow(row) ? look : 'text-stale'),
        }),
      ),
    ],
    [shown, decimals, clock, moment],
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

/** Every kind, or side of takers, on a line of its own. */
function wholeSums({ sums }: BlockRow, columns: readonly SumColumn[], decimals: number): readonly string[] {
  return columns.flatMap(({ of, one }) =>
    of.flatMap((key) => {
      const { count = 0, sz = '0', inferred = 0 } = sums[key] ?? {};
      return count === 0 ? [] : `${keyText(key, inferred > 0)} ${counted(count, one)}, ${decimalText(sz, decimals)}`;
    }),
  );
}

const keyText = (key: SumKey, inferred: boolean) =>
  key === 'buy' || key === 'sell' ? `${key}s${inferred ? '*' : ''} from` : kindText(key, inferred);
