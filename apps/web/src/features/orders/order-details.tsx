import { coinMarket } from '@l4desk/protocol';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ageText, counted, grouped } from '../../ui/format.ts';
import { useTime } from '../../ui/use-time.ts';
import { AddressLine } from '../../wallets/wallet-mark.tsx';
import { Side } from './cells.tsx';
import { legRows, type OrderRow } from './order-rows.ts';
import type { OrderTable } from './order-table.ts';
import { goneSize, STATUS_REASONS, shareText } from './outcome.ts';
import { PlaceCell, useHasLeft } from './place-cell.tsx';
import { asSent, flagOf, type ReportedOrder, textOf } from './reported-order.ts';
import { FILLED_BY_FILLS, rowOutcome } from './row-outcome.ts';
import { type Fills, feeText, type RowFills } from './use-fills.ts';

interface OrderDetailsProps {
  readonly row: OrderRow;
  readonly table: OrderTable;
  readonly fillsOf?: Fills['fillsOf'];
  readonly coinText: (coin: string) => string;
  readonly onOpen: (row: OrderRow) => void;
}

/** Everything reported about one order: derived values, its other entries, every field as reported, its legs. */
export function OrderDetails({ row, table, fillsOf, coinText, onOpen }: OrderDetailsProps) {
  const { order, entry, call } = row;
  const gone = goneSize(order.sz, order.origSz);
  const isBefore = useHasLeft(row);
  const cloid = textOf(order, 'cloid');
  const found = fillsOf?.(row);
  const reason = entry.status === undefined ? undefined : STATUS_REASONS[entry.status];
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-col gap-1">
        <p className="text-15 text-strong">
          {coinText(order.coin)} · <Side side={order.side} /> · {grouped(order.limitPx ?? '')}
        </p>
        <AddressLine address={row.address} />
        <div className="flex flex-wrap items-center gap-1">
          <CopyButton what="oid" text={() => String(order.oid)} wide />
          {cloid !== undefined && <CopyButton what="cloid" text={() => cloid} wide />}
          <CopyButton
            what="JSON"
            text={() =>
              JSON.stringify(entry.status === undefined ? asSent(order) : { ...entry, order: asSent(order) }, null, 2)
            }
            wide
          />
        </div>
        {coinMarket(order.coin) === 'perp' && order.limitPx !== undefined && /^[BA]$/.test(order.side) && (
          <Link
            to="/book/$coin"
            params={{ coin: order.coin }}
            search={{ level: `${order.side}${order.limitPx}` }}
            className="w-fit text-accent underline underline-offset-2"
          >
            Show this level in the {order.coin} book
          </Link>
        )}
      </div>

      <Part title="Derived">
        <Facts>
          {call !== 'historicalOrders' && row.parent === undefined && (
            <Fact name="place">
              <span className="num text-12">
                <PlaceCell order={order} />
              </span>
            </Fact>
          )}
          <Fact name="outcome">{derivedOutcome(row, isBefore, found)}</Fact>
          {reason !== undefined && <Fact name="reason">{reason}</Fact>}
          {gone !== undefined && order.origSz !== undefined && (
            <Fact name="decrease">
              <span className="num private text-12">
                {grouped(gone)} of {grouped(order.origSz)} ({shareText(order.sz, order.origSz)})
              </span>
              {flagOf(order, 'reduceOnly') === true &&
                shareText(order.sz, order.origSz) !== '0 %' &&
                entry.status !== 'filled' &&
                ' Reduce-only: the exchange reduces such orders with their position, so this part was not necessarily filled.'}
            </Fact>
          )}
          {found !== undefined && (
            <Fact name="fills">
              {found.kind !== 'filled' ? (
                found.why
              ) : (
                <span className="num private text-12">
                  {grouped(found.fills.sz)} at {grouped(found.fills.avgPx)}, {counted(found.fills.count, 'fill')}, fees{' '}
                  {feeText(found.fills) ?? 'not reported'}
                </span>
              )}
            </Fact>
          )}
          {entry.statusTimestamp !== undefined && order.timestamp !== undefined && (
            <Fact name="time to status">
              <span className="num text-12">{ageText(entry.statusTimestamp - order.timestamp)}</span>
            </Fact>
          )}
        </Facts>
      </Part>

      {row.parent === undefined && <Entries row={row} table={table} onOpen={onOpen} />}

      <Part title={`As reported by ${call}${row.dex === '' ? '' : ` for ${row.dex}`}`}>
        <Facts>
          {Object.entries(entry).map(([name, value]) =>
            name === 'order' || value === undefined ? null : (
              <Fact key={name} name={name}>
                <Reported name={name} value={value} />
              </Fact>
            ),
          )}
          <Fields order={order} />
        </Facts>
      </Part>

      <Legs row={row} />
    </div>
  );
}

/** `isBefore`: the order has left the book since it was reported. */
function derivedOutcome(row: OrderRow, isBefore: boolean, fills: RowFills | undefined): string {
  if (row.parent !== undefined) return `leg of ${row.parent.order.oid}; its own entry, if any, has its status`;
  const text = rowOutcome(row, fills);
  if (text === '') return 'not derived: status and sizes do not determine it';
  return isBefore && text !== FILLED_BY_FILLS ? `was ${text} when loaded` : text;
}

interface EntriesProps {
  readonly row: OrderRow;
  readonly table: OrderTable;
  readonly onOpen: (row: OrderRow) => void;
}

/** Other entries of the same order: earlier and later states, and other calls. They are listed together but not merged. */
function Entries({ row, table, onOpen }: EntriesProps) {
  const time = useTime();
  const entries = table.entries(row);
  if (entries.length < 2) return null;
  return (
    <Part title={`${counted(entries.length, 'entry', 'entries')} for this order`}>
      <ol className="flex flex-col">
        {entries.map((other) => (
          <li key={other.key}>
            <button
              type="button"
              aria-current={other.key === row.key}
              onClick={() => onOpen(other)}
              className="flex min-h-6 w-full flex-wrap content-center items-baseline justify-between gap-x-2 rounded-4 px-1 text-left hover:bg-surface-2 aria-[current=true]:bg-accent-soft"
            >
              <span className="num text-12 text-strong">{other.entry.status ?? other.call}</span>
              <span className="num text-12 text-dim">
                {other.entry.statusTimestamp === undefined ? 'when loaded' : time.moment(other.entry.statusTimestamp)}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </Part>
  );
}

function Legs({ row }: { readonly row: OrderRow }) {
  const rows = legRows(row);
  if (rows.length === 0) return null;
  return (
    <Part title={`${counted(rows.length, 'leg')} (children)`}>
      {rows.map((leg) => (
        <details key={leg.key} className="border-l border-line pl-2">
          <summary className="cursor-pointer">
            {textOf(leg.order, 'orderType') ?? 'order'} · <Side side={leg.order.side} /> ·{' '}
            <span className="num text-12">{leg.order.oid}</span>
          </summary>
          <Facts>
            <Fields order={leg.order} />
          </Facts>
          <Legs row={leg} />
        </details>
      ))}
    </Part>
  );
}

/** Every field of an order under its name on the wire, including unknown ones. */
function Fields({ order }: { readonly order: ReportedOrder }) {
  return Object.entries(asSent(order)).map(([name, value]) => (
    <Fact key={name} name={name}>
      {name === 'children' && Array.isArray(value) ? (
        <span className="num text-12">{value.length === 0 ? '[]' : `${value.length}, below`}</span>
      ) : (
        <Reported name={name} value={value} />
      )}
    </Fact>
  ));
}

const SIZES: ReadonlySet<string> = new Set(['sz', 'origSz']);

function Reported({ name, value }: { readonly name: string; readonly value: unknown }) {
  const time = useTime();
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return (
    <span className={`num text-12 break-all ${SIZES.has(name) ? 'private' : ''}`}>
      {text}
      {typeof value === 'number' && /timestamp$/i.test(name) && (
        <>
          {' '}
          <span className="inline-block text-dim">{time.moment(value)}</span>
        </>
      )}
    </span>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-1">
      <h3 className="text-12 font-medium text-dim">{title}</h3>
      {children}
    </section>
  );
}

function Facts({ children }: { readonly children: ReactNode }) {
  return <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-3">{children}</dl>;
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-12 text-dim">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}
