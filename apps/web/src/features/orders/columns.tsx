import { ageText, aligned, grouped } from '../../ui/format.ts';
import type { TableColumn } from '../../ui/table/table-column.ts';
import type { TimeTexts } from '../../ui/use-time.ts';
import { WithNumbers } from '../../ui/with-numbers.tsx';
import { OwnerName } from '../../wallets/wallet-mark.tsx';
import { type DecimalColumn, legRows, type OrderRow } from './order-chunk.ts';
import { outcomeText, STATUS_REASONS, shareText } from './outcome.ts';
import { PlaceCell, useHasLeft } from './place-cell.tsx';
import type { Related } from './related.ts';
import { flagOf, textOf } from './reported-order.ts';

interface ColumnTexts {
  readonly coinText: (coin: string) => string;
  readonly time: TimeTexts;
  readonly related: Related;
  /** The widest digits of each column, so that decimal points align and nothing is cut. */
  readonly digits: Readonly<Record<DecimalColumn, { readonly whole: number; readonly decimals: number }>>;
  /** Whether one of the calls reports a status. */
  readonly hasStatus: boolean;
  /** Whether the screen is too narrow to align the decimal points of coins of all magnitudes. */
  readonly isNarrow: boolean;
}

/** Width of a digit, and of a cell's padding, px. */
const DIGIT = 7.3;
const SIDES = 18;

function widthOf({ whole, decimals }: { readonly whole: number; readonly decimals: number }): number {
  const commas = Math.floor(Math.max(0, whole - 1) / 3);
  return Math.max(84, Math.ceil((whole + commas + 1 + decimals) * DIGIT + SIDES));
}

/** Every column of the page, in the default order. */
export function orderColumns({
  coinText,
  time,
  related,
  digits,
  hasStatus,
  isNarrow,
}: ColumnTexts): readonly TableColumn<OrderRow>[] {
  const isUtc = time.zone === 'utc';
  // The local offset changes with the season, so every moment shows its own.
  const momentOf = (at: number) => (isUtc ? `${time.day(at)} ${time.clock(at)}` : time.moment(at));
  const amount = (text: string | undefined, { decimals }: { readonly decimals: number }) => {
    if (text === undefined) return <None what="Not reported" />;
    return isNarrow ? grouped(text) : aligned(text, decimals);
  };
  const momentWidth = isUtc ? 186 : 236;
  // Beside the place, a narrow row has no room for a column of the side.
  const isTight = isNarrow && !hasStatus;
  return [
    {
      id: 'coin',
      title: 'Coin',
      width: isTight ? 114 : isNarrow ? 112 : 160,
      // What a phone has left goes to the names: a pair with its number takes most of it.
      grow: isTight,
      fixed: true,
      sortable: true,
      widest: 176,
      cell: ({ order }) => (
        <>
          <strong
            className={`truncate font-medium text-strong ${isTight ? 'text-11' : ''}`}
            title={coinText(order.coin)}
          >
            {coinText(order.coin)}
          </strong>{' '}
          {!isTight && flagOf(order, 'isTrigger') === true && <TriggerMark type={textOf(order, 'orderType')} />}
        </>
      ),
    },
    {
      id: 'side',
      title: 'Side',
      width: isNarrow ? 42 : 58,
      sortable: true,
      narrow: !isTight,
      cell: ({ order }) => <Side side={order.side} isShort />,
    },
    {
      id: 'limitPx',
      title: 'Limit price',
      hint: 'limitPx, as reported',
      width: isTight ? 90 : isNarrow ? 84 : widthOf(digits.limitPx),
      align: 'end',
      sortable: true,
      narrow: true,
      cell: ({ order }) =>
        isTight ? (
          <>
            <Side side={order.side} isShort /> {grouped(order.limitPx ?? '')}
          </>
        ) : (
          amount(order.limitPx, digits.limitPx)
        ),
    },
    {
      id: 'origSz',
      title: 'Size',
      hint: 'origSz: the size before any fill, in base units',
      width: isTight ? 82 : isNarrow ? 98 : widthOf(digits.origSz),
      align: 'end',
      sortable: true,
      narrow: true,
      cell: ({ order }) => <span className="private">{amount(order.origSz, digits.origSz)}</span>,
    },
    {
      id: 'sz',
      title: 'Remaining',
      hint: 'sz: the remaining size when this was reported, in base units',
      width: widthOf(digits.sz),
      align: 'end',
      sortable: true,
      hidden: true,
      shownFrom: 1920,
      cell: ({ order }) => <span className="private">{amount(order.sz, digits.sz)}</span>,
    },
    ...(hasStatus ? [] : [isNarrow ? NARROW_PLACE : PLACE]),
    {
      id: 'share',
      title: 'Decrease',
      hint: 'Share of the size that no longer rests: (origSz − sz) / origSz',
      width: 72,
      hidden: true,
      shownFrom: 1920,
      align: 'end',
      sortable: true,
      cell: ({ order }) => shareText(order.sz, order.origSz) || <None what="Not known from the sizes" />,
    },
    {
      id: 'status',
      title: 'Status',
      hint: 'As reported; only the history includes a status',
      width: 180,
      widest: 316,
      sortable: true,
      hidden: !hasStatus,
      narrow: true,
      cell: ({ entry }) =>
        entry.status === undefined ? (
          <None what="This call reports no status" />
        ) : (
          <span className="num truncate text-12 text-strong" title={statusTitle(entry.status)}>
            {entry.status}
          </span>
        ),
    },
    {
      id: 'outcome',
      title: 'Outcome',
      hint: 'Derived from the status and the two sizes',
      width: hasStatus ? 264 : 204,
      sortable: true,
      grow: true,
      cell: (row) => (row.parent === undefined ? <OutcomeCell row={row} /> : <Leg row={row} />),
    },
    {
      id: 'type',
      title: 'Type',
      width: 140,
      hidden: hasStatus,
      shownFrom: 1920,
      sortable: true,
      cell: ({ order }) => reported(textOf(order, 'orderType')),
    },
    {
      id: 'tif',
      title: 'TIF',
      hint: 'Time in force',
      width: hasStatus ? 124 : 64,
      hidden: true,
      shownFrom: hasStatus ? 2400 : 1920,
      sortable: true,
      cell: ({ order }) => (order.tif === null ? <None what="null: none" /> : reported(textOf(order, 'tif'))),
    },
    {
      id: 'condition',
      title: 'Trigger',
      hint: 'triggerCondition',
      width: 144,
      hidden: true,
      shownFrom: hasStatus ? 2400 : 1920,
      cell: ({ order }) => {
        const condition = textOf(order, 'triggerCondition');
        return condition === 'N/A' ? <None what="N/A: no trigger" /> : reported(condition);
      },
    },
    {
      id: 'ro',
      title: 'Reduce',
      hint: 'reduceOnly',
      width: 70,
      hidden: true,
      shownFrom: hasStatus ? 2400 : 1920,
      sortable: true,
      cell: ({ order }) => yesNo(flagOf(order, 'reduceOnly'), 'reduce'),
    },
    {
      id: 'tpsl',
      title: 'TP/SL',
      hint: 'isPositionTpsl: take-profit or stop-loss of a whole position',
      width: 66,
      sortable: true,
      hidden: true,
      shownFrom: hasStatus ? undefined : 2400,
      cell: ({ order }) => yesNo(flagOf(order, 'isPositionTpsl'), 'TP/SL'),
    },
    {
      id: 'legs',
      title: 'Legs',
      hint: 'children: orders placed with this one',
      width: 52,
      hidden: true,
      shownFrom: hasStatus ? undefined : 2400,
      align: 'end',
      cell: (row) => String(legRows(row).length || ''),
    },
    { id: 'wallet', title: 'Wallet', width: 112, sortable: true, cell: ({ address }) => <OwnerName user={address} /> },
    {
      id: 'placed',
      title: `Placed${isUtc ? ' (UTC)' : ''}`,
      hint: 'timestamp',
      width: momentWidth,
      align: 'end',
      sortable: true,
      cell: ({ order }) =>
        order.timestamp === undefined ? <None what="No time reported" /> : momentOf(order.timestamp),
    },
    {
      id: 'updated',
      title: `Status since${isUtc ? ' (UTC)' : ''}`,
      hint: 'statusTimestamp',
      width: momentWidth,
      hidden: true,
      shownFrom: hasStatus ? 2400 : undefined,
      align: 'end',
      sortable: true,
      cell: ({ entry }) =>
        entry.statusTimestamp === undefined ? <None what="No time reported" /> : momentOf(entry.statusTimestamp),
    },
    {
      id: 'lived',
      title: 'After',
      hint: 'Time from placement to this status',
      width: 86,
      hidden: true,
      shownFrom: hasStatus ? 1920 : undefined,
      align: 'end',
      sortable: true,
      cell: ({ order, entry }) =>
        entry.statusTimestamp === undefined || order.timestamp === undefined ? (
          <None what="No time reported" />
        ) : (
          ageText(entry.statusTimestamp - order.timestamp)
        ),
    },
    {
      id: 'entry',
      title: 'Entry',
      hint: 'Position among the entries for the same order, earliest first',
      width: 58,
      hidden: true,
      align: 'end',
      cell: (row) => {
        if (row.parent !== undefined) return '';
        const { place, of } = related.placeOf(row);
        return of === 1 ? '' : `${place}/${of}`;
      },
    },
    { id: 'oid', title: 'oid', width: 108, align: 'end', sortable: true, cell: ({ order }) => String(order.oid) },
    {
      id: 'cloid',
      title: 'cloid',
      width: 280,
      hidden: true,
      shownFrom: hasStatus ? undefined : 2400,
      cell: ({ order }) =>
        order.cloid === null ? <None what="null: none given" /> : <Mono text={textOf(order, 'cloid')} />,
    },
    {
      id: 'call',
      title: 'From call',
      hint: 'Which call reported this row',
      width: 140,
      hidden: true,
      cell: ({ call, dex }) => <Mono text={dex === '' ? call : `${call} ${dex}`} />,
    },
  ];
}

/** Live, for coins whose books are followed. */
const PLACE: TableColumn<OrderRow> = {
  id: 'place',
  title: 'Place in the queue',
  hint: 'Its place among the orders of its price, and the size in front of it, of the last block',
  width: 200,
  align: 'end',
  cell: ({ order, parent }) => (parent === undefined ? <PlaceCell order={order} /> : ''),
};

const NARROW_PLACE: TableColumn<OrderRow> = {
  ...PLACE,
  title: 'Place',
  hint: 'Its place among the orders of its price, of the last block',
  width: 74,
  narrow: true,
  cell: ({ order, parent }) =>
    flagOf(order, 'isTrigger') === true ? (
      <TriggerMark type={textOf(order, 'orderType')} />
    ) : parent === undefined ? (
      <PlaceCell order={order} isShort />
    ) : (
      ''
    ),
};

/** The whole status, with its meaning if that is known. */
function statusTitle(status: string): string {
  const reason = STATUS_REASONS[status];
  return reason === undefined ? status : `${status}: ${reason}`;
}

/** Shown on a narrow screen, which has no type column: a waiting trigger must not look like a resting order. */
function TriggerMark({ type }: { readonly type: string | undefined }) {
  const word = type?.startsWith('Stop') ? 'stop' : type?.startsWith('Take Profit') ? 'TP' : 'trigger';
  return <span className="ml-1 shrink-0 text-11 text-stale sm:hidden">{word}</span>;
}

/** `isShort`: on a narrow screen only the letter is visible. */
export function Side({ side, isShort = false }: { readonly side: string; readonly isShort?: boolean }) {
  if (side !== 'B' && side !== 'A') return <span className="num text-12 text-stale">{side}</span>;
  return (
    <span className={side === 'B' ? 'text-bid' : 'text-ask'}>
      <span className="num text-12">{side}</span>{' '}
      <span className={isShort ? 'max-sm:sr-only' : undefined}>{side === 'B' ? 'buy' : 'sell'}</span>
    </span>
  );
}

function OutcomeCell({ row }: { readonly row: OrderRow }) {
  const text = outcomeText(row.call, row.entry, row.later);
  const isBefore = useHasLeft(row);
  if (text === '') return <None what="Status and sizes do not determine the outcome" />;
  const shown = isBefore ? `was ${text}` : text;
  return (
    <span
      className={isBefore ? 'truncate text-dim' : 'truncate'}
      title={isBefore ? `${shown} when loaded; it has left the book since` : shown}
    >
      <WithNumbers text={shown} look="text-12" />
    </span>
  );
}

function Leg({ row }: { readonly row: OrderRow }) {
  return (
    <span className="truncate text-dim">
      leg of <span className="num text-12">{row.parent?.order.oid}</span>
    </span>
  );
}

function Mono({ text }: { readonly text: string | undefined }) {
  return text === undefined ? (
    <None what="Not reported" />
  ) : (
    <span className="num truncate text-12" title={text}>
      {text}
    </span>
  );
}

function None({ what }: { readonly what: string }) {
  return (
    <span className="text-dim" title={what}>
      –<span className="sr-only">{what}</span>
    </span>
  );
}

function reported(text: string | undefined) {
  return text ?? <None what="Not reported by this call" />;
}

function yesNo(value: boolean | undefined, word: string) {
  return value === undefined ? <None what="Not reported by this call" /> : value ? word : '';
}
