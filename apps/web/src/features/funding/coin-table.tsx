import type { ReactNode, TdHTMLAttributes } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { useTime } from '../../ui/use-time.ts';
import type { History } from './entries.ts';
import { SeriesMark } from './series.tsx';
import { partText, silenceText } from './texts.ts';

export interface CoinColumn<Row> {
  readonly title: string;
  /** `start` for words; numbers are right-aligned. */
  readonly align?: 'start';
  readonly cell: (row: Row, history: History) => ReactNode;
  readonly attributesOf?: (row: Row) => TdHTMLAttributes<HTMLTableCellElement> & DataAttributes;
}

type DataAttributes = Readonly<Record<`data-${string}`, string | number | undefined>>;

interface CoinTableProps<Row> {
  readonly name: string;
  /** The heading of the coins. */
  readonly corner?: string;
  /** Of each coin one, or one for each of its intervals. */
  readonly histories: readonly History[];
  readonly rows: readonly (Row | undefined)[];
  readonly columns: readonly CoinColumn<Row>[];
  /** Shown above the table. */
  readonly controls?: ReactNode;
  /** Shown below it: what its numbers mean. */
  readonly children: ReactNode;
}

/** Figures of the coins of the chart, or why there are none. */
export function CoinTable<Row>(props: CoinTableProps<Row>) {
  const { name, corner = 'Coin', histories, rows, columns, controls, children } = props;
  const time = useTime();
  const coins = [...new Set(histories.map(({ coin }) => coin))];
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls: the keyboard must reach it
    <section aria-label={name} tabIndex={0} className="asks min-h-0 grow overflow-auto">
      {controls}
      <table className="answer w-full border-collapse">
        <thead className="sticky top-0 z-1 bg-surface-1 text-12 text-dim">
          <tr className="border-b border-line">
            <th scope="col" className={classNames(NAME, 'bg-surface-1')}>
              {corner}
            </th>
            {columns.map(({ title, align }) => (
              <th
                key={title}
                scope="col"
                className={classNames(CELL, 'font-normal', align ? 'text-left' : 'text-right')}
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {histories.map((history, at) => {
            const row = rows[at];
            const part = partText(history, time.day);
            return (
              <tr key={`${history.coin} ${part}`} className="border-b border-line" data-coin={history.coin}>
                <th scope="row" className={classNames(NAME, 'bg-surface-0')}>
                  <SeriesMark at={coins.indexOf(history.coin)} /> {history.coin}{' '}
                  <span className="text-12 text-dim">{part}</span>
                </th>
                {row === undefined ? (
                  <td colSpan={columns.length} className="px-2 py-1 text-dim">
                    {silenceText(history) ?? 'no entries in view'}
                  </td>
                ) : (
                  columns.map(({ title, align, cell, attributesOf }) => (
                    <td
                      key={title}
                      {...attributesOf?.(row)}
                      className={classNames(CELL, align ? 'text-dim' : 'num text-right text-12')}
                    >
                      {cell(row, history)}
                    </td>
                  ))
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
      <p className="max-w-3xl px-3 py-2 text-12 text-dim">{children}</p>
    </section>
  );
}

/** In view while the figures scroll sideways. */
const NAME = 'sticky left-0 py-1 pr-2 pl-3 text-left font-normal whitespace-nowrap';
const CELL = 'px-1 py-1 whitespace-nowrap last:pr-3';
