import { wholeText } from '../../ui/format.ts';
import { sharesText, shareText } from '../../ui/share-text.ts';
import type { TableColumn } from '../../ui/table/table-column.ts';

/** The credits of each row, and their share of the window's total. */
export function creditColumns<Row extends { readonly credits: number }>(
  rows: readonly Row[],
  total: number,
): readonly TableColumn<Row>[] {
  const texts = sharesText(
    rows.map(({ credits }) => credits),
    total,
  );
  const shares = new Map(rows.map((row, at) => [row, texts[at]]));
  const sum = rows.reduce((all, { credits }) => all + credits, 0);
  return [
    {
      id: 'credits',
      title: 'Credits',
      align: 'end',
      text: ({ credits }) => wholeText(credits),
      total: wholeText(sum),
    },
    {
      id: 'share',
      title: 'Share',
      align: 'end',
      cell: (row) => (
        <span className="inline-flex items-center gap-2">
          <span className="h-2 w-16 max-sm:w-8" aria-hidden>
            <span
              className="ml-auto block h-full bg-accent"
              style={{ width: `${(row.credits / Math.max(1, total)) * 100}%` }}
            />
          </span>
          <span className="w-14">{shares.get(row) ?? '–'}</span>
        </span>
      ),
      total: shareText(sum, total) ?? '–',
    },
  ];
}
