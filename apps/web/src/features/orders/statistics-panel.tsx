import { divide, multiply, add as plus, subtract } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import { Fragment, type ReactNode, useDeferredValue, useMemo } from 'react';
import { ageText, counted, grouped, wholeText } from '../../ui/format.ts';
import { shareText } from '../../ui/share-text.ts';
import type { OrderRow } from './order-rows.ts';
import { livedMs } from './order-table.ts';
import { goneOf, phaseOf, STATUS_REASONS, statusWords } from './outcome.ts';
import { flagOf } from './reported-order.ts';

interface StatisticsPanelProps {
  readonly rows: readonly OrderRow[];
  /** Shown if no order of the history is in view. */
  readonly noneText: string;
  readonly coinText: (coin: string) => string;
}

const COINS_MAX = 50;

/** Outcomes of the orders in view. Until many rows are counted again, the previous figures stay, dimmed. */
export function StatisticsPanel({ rows, noneText, coinText }: StatisticsPanelProps) {
  const shown = useDeferredValue(rows);
  const found = useMemo(() => statisticsOf(shown), [shown]);
  return (
    <div aria-busy={shown !== rows} className="aria-busy:text-dim">
      <Figures found={found} noneText={noneText} coinText={coinText} />
    </div>
  );
}

interface FiguresProps {
  readonly found: OutcomeStatistics;
  readonly noneText: string;
  readonly coinText: (coin: string) => string;
}

function Figures({ found, noneText, coinText }: FiguresProps) {
  if (found.orders === 0) {
    return <p className="text-dim">{noneText}</p>;
  }
  return (
    <div className="flex flex-col gap-4">
      <p className="text-dim">
        {counted(found.orders, 'order')} from the history in view, each counted once by its latest entry.
      </p>
      <Table title="Fill ratio" heads={['', 'orders', 'share']}>
        <Line cells={['Filled, of accepted and final', wholeText(found.filled), share(found.filled, found.accepted)]} />
        <Line cells={['Rejected, of all', wholeText(found.rejected), share(found.rejected, found.orders)]} />
      </Table>
      <Table title="Outcomes" heads={['', 'orders', 'share']}>
        {found.outcomes.map(([kind, count]) => (
          <Line key={kind} cells={[kind, wholeText(count), share(count, found.orders)]} />
        ))}
      </Table>
      {(found.timeToFilled ?? found.timeToCanceled) !== undefined && (
        <Table title="Time to final state" heads={['', 'filled', 'canceled']}>
          {LIFE_LINES.map(([name, of]) => (
            <Line key={name} cells={[name, life(found.timeToFilled, of), life(found.timeToCanceled, of)]} />
          ))}
        </Table>
      )}
      <Reasons title="Rejection reasons" reasons={found.rejections} all={found.rejected} />
      <Reasons title="Cancellation reasons" reasons={found.cancellations} all={found.accepted - found.filled} />
      {found.coins.length > 0 && (
        <Table title="By coin, accepted and final" heads={['', 'orders', 'filled', 'size filled']}>
          {found.coins.slice(0, COINS_MAX).map(({ coin, orders, filled, filledSize, size }) => (
            <Line
              key={coin}
              cells={[coinText(coin), wholeText(orders), share(filled, orders), sizeShare(filledSize, size)]}
              hint={`${grouped(filledSize)} of ${grouped(size)}`}
            />
          ))}
        </Table>
      )}
      {found.coins.length > COINS_MAX && (
        <p className="text-dim">and {counted(found.coins.length - COINS_MAX, 'more coin')}; filter to see them.</p>
      )}
      {found.cut > 0 && (
        <p className="text-dim">
          “Size filled” excludes {counted(found.cut, 'reduce-only order')} that shrank: the exchange reduces them with
          their position and does not report how much was filled.
        </p>
      )}
    </div>
  );
}

const LIFE_LINES: readonly (readonly [string, (times: LifeTimes) => number])[] = [
  ['shortest', ({ shortest }) => shortest],
  ['median', ({ median }) => median],
  ['90th percentile', ({ ninth }) => ninth],
  ['longest', ({ longest }) => longest],
];

function life(times: LifeTimes | undefined, of: (times: LifeTimes) => number): string {
  return times === undefined ? '–' : ageText(of(times));
}

interface ReasonsProps {
  readonly title: string;
  readonly reasons: readonly (readonly [status: string, orders: number])[];
  readonly all: number;
}

function Reasons({ title, reasons, all }: ReasonsProps) {
  if (reasons.length === 0) return null;
  return (
    <Table title={title} heads={['', 'orders', 'share']}>
      {reasons.map(([status, count]) => (
        <Line
          key={status}
          cells={[status, wholeText(count), share(count, all)]}
          {...(STATUS_REASONS[status] === undefined ? {} : { hint: STATUS_REASONS[status] })}
        />
      ))}
    </Table>
  );
}

interface TableProps {
  readonly title: string;
  readonly heads: readonly string[];
  readonly children: ReactNode;
}

function Table({ title, heads, children }: TableProps) {
  const [first, ...others] = heads;
  return (
    <table className="w-full border-collapse">
      <caption className="pb-1 text-left text-12 font-medium text-dim">{title}</caption>
      <thead>
        <tr className="border-b border-line text-12 text-dim">
          <th scope="col" className="text-left font-normal">
            <span className="sr-only">{first || title}</span>
          </th>
          {others.map((head) => (
            <th key={head} scope="col" className="w-18 pl-3 text-right font-normal">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

function Line({ cells, hint }: { readonly cells: readonly string[]; readonly hint?: string }) {
  const [name, ...values] = cells;
  return (
    <tr title={hint}>
      <th scope="row" className="text-left text-12 font-normal [overflow-wrap:anywhere]">
        {statusWords(name ?? '').map((word, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- the words of one text
          <Fragment key={at}>
            {at > 0 && <wbr />}
            {word}
          </Fragment>
        ))}
      </th>
      {values.map((value, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- cells stand under their heads, and a line is never reordered
        <td key={at} className="num pl-3 text-right text-12 whitespace-nowrap">
          {value}
        </td>
      ))}
    </tr>
  );
}

/** A part of a count in percent, with one decimal. */
function share(part: number, of: number): string {
  return shareText(part, of) ?? '–';
}

function sizeShare(part: DecimalString, of: DecimalString): string {
  const text = divide(multiply(part, '100'), of, 1);
  return text === undefined ? '–' : `${text} %`;
}

/** Ms from placing to the final state. */
interface LifeTimes {
  readonly shortest: number;
  readonly median: number;
  /** Nine out of ten took at most this long. */
  readonly ninth: number;
  readonly longest: number;
}

type OutcomeStatistics = ReturnType<typeof statisticsOf>;

interface CoinSum {
  readonly orders: number;
  readonly filled: number;
  readonly left: DecimalString;
  readonly size: DecimalString;
}

const NO_ORDERS: CoinSum = { orders: 0, filled: 0, left: '0', size: '0' };

/** Outcomes of the orders in view. Each order counts once, by its last entry in the history. */
export function statisticsOf(rows: readonly OrderRow[]) {
  const outcomes = new Map<string, number>();
  const rejections = new Map<string, number>();
  const cancellations = new Map<string, number>();
  const filledAfter: number[] = [];
  const canceledAfter: number[] = [];
  const coins = new Map<string, CoinSum>();
  let orders = 0;
  let cut = 0;
  for (const row of rows) {
    const { call, later, entry, order, facets } = row;
    if (call !== 'historicalOrders' || later !== undefined || entry.status === undefined) continue;
    orders += 1;
    add(outcomes, facets.outcome);
    const phase = phaseOf(entry.status);
    if (phase === 'rejected') add(rejections, entry.status);
    if (phase === 'canceled') add(cancellations, entry.status);
    if (phase !== 'filled' && phase !== 'canceled') continue;
    (phase === 'filled' ? filledAfter : canceledAfter).push(livedMs(row) ?? 0);
    const sum = coins.get(order.coin) ?? NO_ORDERS;
    const gone = goneOf(order.sz, order.origSz);
    const isCut = gone === 'part' && flagOf(order, 'reduceOnly') === true;
    if (isCut) cut += 1;
    const isSummed = !isCut && gone !== 'unknown';
    coins.set(order.coin, {
      orders: sum.orders + 1,
      filled: sum.filled + (phase === 'filled' ? 1 : 0),
      left: isSummed ? plus(sum.left, order.sz ?? '0') : sum.left,
      size: isSummed ? plus(sum.size, order.origSz ?? '0') : sum.size,
    });
  }
  return {
    orders,
    outcomes: mostFirst(outcomes),
    /** Orders that were accepted and are final: filled or canceled. */
    accepted: filledAfter.length + canceledAfter.length,
    filled: filledAfter.length,
    rejected: [...rejections.values()].reduce((total, count) => total + count, 0),
    rejections: mostFirst(rejections),
    cancellations: mostFirst(cancellations),
    timeToFilled: lifeTimes(filledAfter),
    timeToCanceled: lifeTimes(canceledAfter),
    /** The accepted and final orders; the sizes leave out shrunken reduce-only orders. */
    coins: [...coins]
      .map(([coin, { orders: count, filled, left, size }]) => ({
        coin,
        orders: count,
        filled,
        filledSize: subtract(size, left),
        size,
      }))
      .sort((a, b) => b.orders - a.orders || (a.coin < b.coin ? -1 : 1)),
    /** Shrunken reduce-only orders, whose filled size is not reported. */
    cut,
  };
}

function lifeTimes(times: readonly number[]): LifeTimes | undefined {
  if (times.length === 0) return undefined;
  const sorted = Float64Array.from(times).sort();
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { shortest: at(0), median: at(0.5), ninth: at(0.9), longest: at(1) };
}

function add<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function mostFirst(counts: ReadonlyMap<string, number>): (readonly [string, number])[] {
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
}
