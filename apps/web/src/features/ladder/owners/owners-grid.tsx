import type { Address, DecimalString, Side } from '@l4desk/protocol';
import { useMemo } from 'react';
import type { OwnerRow, OwnersSide } from '../../../book-worker/panes/owners.ts';
import type { PaneResult } from '../../../book-worker/panes.ts';
import { counted, decimalText, grouped, secondsText, wholeText, wholeUnits } from '../../../ui/format.ts';
import { DataTable } from '../../../ui/table/data-table.tsx';
import type { RowState, TableColumn } from '../../../ui/table/table-column.ts';
import { OwnerName } from '../../../wallets/wallet-mark.tsx';
import { type Held, useHeldList } from '../held-list.ts';
import { PaneHint } from '../pane-hint.tsx';
import { leanText, shareText } from './texts.ts';

/** Most wallets listed per side: the rest have almost nothing, and are counted in every sum. */
export const LISTED = 100;

/** The most held rows. With more, the wallets are sorted anew. */
const HELD_MAX = 300;

const NOBODY: readonly OwnerRow[] = [];

const keyOf = ({ user }: OwnerRow): string => user ?? 'unnamed';
const keyOfHeld = ({ row }: Held<OwnerRow>) => keyOf(row);

interface OwnersGridProps {
  readonly side: Side;
  readonly owners: PaneResult<'owners'> | undefined;
  readonly chosen: Address | undefined;
  readonly isHeld: boolean;
  readonly onOpen: (owner: OwnerRow) => void;
}

export function OwnersGrid({ side, owners, chosen, isHeld, onOpen }: OwnersGridProps) {
  const { sizeDecimals, generation, height = 0 } = owners ?? {};
  const lens = side === 'B' ? owners?.bids : owners?.asks;
  const rows = useHeldList({
    rows: lens?.owners ?? NOBODY,
    keyOf,
    isHeld,
    of: `${generation} ${owners?.withinBps}`,
    height,
    max: HELD_MAX,
  });
  const largest = lens?.top1 ?? '0';
  const spanMs = owners?.requoteSpanMs ?? null;
  const span = spanMs === null ? '' : `, over the kept ${secondsText(spanMs)}`;
  const columns = useMemo(() => columnsOf(side, sizeDecimals ?? 0, largest, span), [side, sizeDecimals, largest, span]);
  const both = useMemo(
    () => [...(owners?.asks.owners ?? []), ...(owners?.bids.owners ?? [])].map((row) => ({ row, absence: undefined })),
    [owners],
  );
  const name = side === 'B' ? 'Bids' : 'Asks';
  return (
    <section aria-label={`${name} by wallet`} data-side={side} className="flex min-h-28 grow basis-0 flex-col">
      {/* One line high, in its own box: if it is too narrow, the last items disappear entirely. */}
      <div className="relative h-[calc(1lh+10px)] shrink-0 text-12">
        <h3 className="absolute inset-0 flex flex-wrap items-baseline gap-x-3 gap-y-2 px-3 py-1 whitespace-nowrap contain-strict">
          <span className={side === 'B' ? 'text-bid' : 'text-ask'}>{name}</span>
          {sizeDecimals !== undefined && (
            <>
              <span data-field="sz" className="num">
                {decimalText(lens?.sz ?? '0', sizeDecimals)}
              </span>
              <span className="num text-dim">{countsText(lens)}</span>
              <span className="num text-dim">{listedText(lens)}</span>
            </>
          )}
        </h3>
      </div>
      <DataTable
        name={`${name} by wallet`}
        columns={columns}
        rows={rows}
        keyOf={keyOfHeld}
        stateOf={stateOf}
        of={generation}
        measured={both}
        followsRow
        selected={chosen}
        onOpen={({ row }) => onOpen(row)}
        empty={sizeDecimals === undefined && <PaneHint>Adding up the wallets near the mid …</PaneHint>}
      />
    </section>
  );
}

function countsText(lens: OwnersSide | undefined): string {
  return lens === undefined ? '' : `${counted(lens.orders, 'order')} · ${counted(lens.wallets, 'wallet')}`;
}

/** How many wallets the list has, if not all. */
function listedText(lens: OwnersSide | undefined): string {
  return lens === undefined || lens.wallets <= LISTED ? '' : `largest ${wholeText(LISTED)}`;
}

/** A wallet that has kept its row and is no longer listed has its last numbers. */
const stateOf = ({ absence }: Held<OwnerRow>): RowState =>
  absence === undefined ? { kind: 'ok' } : { kind: 'stale', text: 'no longer among the largest; last known values' };

/** What the columns say that a narrow pane leaves out. */
function factsText({ orders, notional, skew, medianAgeMs, requotes }: OwnerRow): string {
  const facts = [
    counted(orders, 'order'),
    `notional ${grouped(notional)}`,
    `skew ${leanText(skew)}`,
    `median age ${secondsText(medianAgeMs)}`,
  ];
  return [...facts, ...(requotes === null ? [] : [`${grouped(requotes)} requotes a minute`])].join(' · ');
}

/** A narrow pane leaves out its last columns. `span` says over which period requotes are counted, if that is known. */
function columnsOf(
  side: Side,
  sizeDecimals: number,
  largest: DecimalString,
  span: string,
): readonly TableColumn<Held<OwnerRow>>[] {
  return [
    {
      id: 'owner',
      title: 'wallet',
      hint: 'Whose orders they are; a press offers what can be done with the wallet',
      width: 96,
      grow: true,
      copied: ({ row }) => row.user ?? '',
      cell: ({ row }) => <OwnerName user={row.user} hasHint={false} />,
      hintOf: ({ row }) => row.user ?? undefined,
    },
    {
      id: 'share',
      title: 'share',
      hint: "Part of this side's size within the distance",
      width: 60,
      align: 'end',
      copied: ({ row }) => shareText(row.share),
      // The largest share is that of now, so a share of before has no bar.
      cell: ({ row: { share }, absence }) =>
        absence === undefined ? <Share side={side} share={share} largest={largest} /> : shareText(share),
      lookOf: () => 'relative',
    },
    {
      id: 'sz',
      title: 'size',
      hint: 'Size of its orders on this side within the distance',
      width: 82,
      align: 'end',
      text: ({ row }) => decimalText(row.sz, sizeDecimals),
      hintOf: ({ row }) => factsText(row),
    },
    {
      id: 'orders',
      title: 'n',
      hint: 'Orders',
      width: 40,
      align: 'end',
      leaves: 1,
      cell: ({ row }) => wholeText(row.orders),
    },
    {
      id: 'skew',
      title: 'skew',
      hint: '(bids − asks) ÷ (bids + asks) of its sizes within the distance: +1 rests on the bid side only',
      width: 54,
      align: 'end',
      leaves: 2,
      cell: ({ row }) => leanText(row.skew),
    },
    {
      id: 'age',
      title: 'age',
      hint: 'Median age of its orders on this side',
      width: 60,
      align: 'end',
      leaves: 3,
      text: ({ row }) => secondsText(row.medianAgeMs),
    },
    {
      id: 'requotes',
      title: 'rq/min',
      hint: `Requotes a minute on this side${span}: orders that took the place of another under the same cloid`,
      width: 56,
      align: 'end',
      leaves: 4,
      cell: ({ row: { requotes } }) => (requotes === null ? '—' : requotes === '0.0' ? '0' : grouped(requotes)),
      lookOf: ({ row }) => (row.requotes === '0.0' ? 'text-dim' : undefined),
    },
    {
      id: 'notional',
      title: 'ntl',
      hint: 'Notional: size times limit price, of its orders on this side',
      width: 96,
      align: 'end',
      leaves: 5,
      cell: ({ row }) => wholeUnits(row.notional),
    },
  ];
}

interface ShareProps {
  readonly side: Side;
  readonly share: DecimalString;
  readonly largest: DecimalString;
}

function Share({ side, share, largest }: ShareProps) {
  return (
    <>
      <span
        aria-hidden
        style={{ width: `${partOf(share, largest)}%` }}
        className={`absolute inset-y-0.5 left-0 opacity-40 ${side === 'B' ? 'bg-bid-mark' : 'bg-ask-mark'}`}
      />
      <span className="relative">{shareText(share)}</span>
    </>
  );
}

/** In percent; for drawing only. Rounded, so that a bar does not change when its share hardly does. */
function partOf(share: DecimalString, largest: DecimalString): number {
  return Number(largest) === 0 ? 0 : Math.round((100 * Number(share)) / Number(largest));
}
