import { X } from 'lucide-react';
import { useState } from 'react';
import type { QueueData, QueueLife, QueuePart, WatchedPlace } from '../../../book-worker/panes/queues.ts';
import type { GoneOrder } from '../../../book-worker/worker/places/gone-orders.ts';
import { usePreferences } from '../../../state/preferences.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { counted, decimalText, grouped, momentText, wholeText } from '../../../ui/format.ts';
import { useBookPage } from '../book-page.ts';
import type { Held } from '../held-list.ts';
import { levelOnTick } from '../search.ts';

interface QueueLifePanelProps {
  readonly oid: number;
  /** Its place as the list has it, shown until there is a result for it. */
  readonly listed: WatchedPlace | undefined;
  readonly queue: QueueData | undefined;
  readonly decimals: number;
  readonly onClose: () => void;
}

/** One watched order: its place, and what happened to the queue in front of it. */
export function QueueLifePanel({ oid, listed, queue, decimals, onClose }: QueueLifePanelProps) {
  const { tick, onLevel } = useBookPage();
  const order = queue?.order ?? undefined;
  const left = queue?.left ?? undefined;
  const [last, setLast] = useState(order);
  if (order !== undefined && order !== last) setLast(order);
  const life = (order ?? last)?.life ?? undefined;
  const place = order ?? last ?? listed;
  const isGone = queue !== undefined && order === undefined;
  const gone = leftText(left, life !== undefined);
  const level = place && levelOnTick(`${place.side}${place.limitPx}`, tick);
  return (
    <section
      data-toasts="above"
      aria-label={`Queue of order ${oid}`}
      data-part="queue-life"
      data-oid={oid}
      data-gone={isGone}
      className="border-t border-line bg-surface-2 px-3 py-1.5 text-12"
    >
      <div className="flex items-center gap-2 whitespace-nowrap">
        <h3 className="num font-semibold text-strong">{oid}</h3>
        {isGone && (
          <span className="truncate text-stale" title={gone}>
            {gone}
          </span>
        )}
        {!isGone && place !== undefined && <span className="num text-dim">{placeText(place)}</span>}
        <span className="ml-auto flex">
          {level !== undefined && <Button onClick={() => onLevel(level)}>Queue of {grouped(level.px)}</Button>}
          <IconButton icon={X} name="Close the order" onClick={onClose} />
        </span>
      </div>
      {queue === undefined ? (
        // As high as what usually follows.
        <div className="h-[8lh]" />
      ) : life !== undefined ? (
        <Life life={life} decimals={decimals} />
      ) : (
        <p className="text-dim">
          {isGone && left !== undefined
            ? 'It left before what became of its queue was read.'
            : 'What became of its queue is known of the live book, and of the first 5,000 watched orders.'}
        </p>
      )}
    </section>
  );
}

function Life({ life, decimals }: { readonly life: QueueLife; readonly decimals: number }) {
  const zone = usePreferences((state) => state.timeZone);
  const { since, joined, joinedBehind, ownExecuted, inferred } = life;
  return (
    <>
      <table aria-label="What became of the queue" className="num">
        <tbody>
          {lifeLines(life, decimals).map(({ sign, name, sz, orders }) => (
            <tr key={name} data-line={name} className={sign === '=' ? 'text-strong' : ''}>
              <th scope="row" className="pr-4 text-left font-sans font-normal text-dim">
                {name}
              </th>
              <td className="w-3 text-dim">{sign}</td>
              <td className="pr-4 text-right">{sz}</td>
              <td className="text-right text-dim">{orders !== '' && `n ${orders}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="text-dim">
        {counted(joinedBehind.orders, 'order')} joined behind, {decimalText(joinedBehind.sz, decimals)}
        {/[1-9]/.test(ownExecuted) && (
          <>
            ; {decimalText(ownExecuted, decimals)} of its own executed{inferred && '*'}
          </>
        )}
      </p>
      <p className="text-dim">
        {joined ? 'Joined' : 'Watched since'} {momentText(since.time, zone)}.
        {inferred && ' *inferred: no order status and no fill says so.'}
      </p>
    </>
  );
}

/** `12 of 58`: 1 is the front. */
export function placeText({ ordersAhead, levelOrders }: WatchedPlace): string {
  return `${wholeText(ordersAhead + 1)} of ${wholeText(levelOrders)}`;
}

/** Why a listed order has its last known values. */
export function absenceText(absence: NonNullable<Held<WatchedPlace>['absence']>): string {
  if (absence === 'gone') return leftText(undefined, true);
  return 'no longer one of the listed orders nearest to the mid; last known values';
}

/** How an order left, as far as known, followed by a note that its last values are shown, if they are. */
export function leftText(left: GoneOrder | undefined, hasValues: boolean): string {
  const note = hasValues ? '; last known values' : '';
  if (left === undefined) return `no longer in the book${note}`;
  const { kind, inferred, height, other } = left;
  const word = `${LEFT[kind] ?? 'gone'}${inferred ? '*' : ''}`;
  const to = other === null ? '' : ` to ${grouped(other.px)}`;
  return `${word}${to} at block ${wholeText(height)}${note}`;
}

const LEFT: Readonly<Partial<Record<GoneOrder['kind'], string>>> = {
  executed: 'executed',
  canceled: 'canceled',
  requotedOut: 'moved',
};

/** One term in the sum of what happened to the queue. */
interface LifeLine {
  readonly sign: '' | '+' | '−' | '=';
  readonly name: string;
  readonly sz: string;
  /** Number of orders, for terms that count them. */
  readonly orders: string;
}

/** Lines that add up from what was ahead at first to what is still ahead. Rare terms are left out when zero. */
export function lifeLines(life: QueueLife, decimals: number): readonly LifeLine[] {
  const size = (sz: QueuePart['sz']) => decimalText(sz, decimals);
  const part = (sign: LifeLine['sign'], name: string, { orders, sz }: QueuePart): LifeLine => {
    return { sign, name, sz: size(sz), orders: wholeText(orders) };
  };
  const amount = (sign: LifeLine['sign'], name: string, sz: QueuePart['sz']): LifeLine => {
    return { sign, name, sz: size(sz), orders: '' };
  };
  const isThere = ({ sz, orders }: LifeLine) => /[1-9]/.test(sz + orders);
  const rare = [part('+', 'inserted in front', life.insertedAhead), amount('+', 'grown', life.grown)];
  return [
    part('', life.joined ? 'ahead when it joined' : 'ahead when first watched', life.aheadAtFirst),
    ...rare.filter(isThere),
    part('−', life.inferred ? 'executed*' : 'executed', life.executed),
    part('−', 'canceled', life.canceled),
    amount('−', 'shrunk', life.shrunk),
    part('=', 'still ahead', life.ahead),
  ];
}
