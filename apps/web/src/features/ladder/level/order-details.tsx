import { type Address, address } from '@l4desk/protocol';
import { X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { QueueOrder } from '../../../book-worker/panes/level.ts';
import { usePreferences } from '../../../state/preferences.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { counted, decimalText, grouped, momentText } from '../../../ui/format.ts';
import { useBookPage } from '../book-page.ts';

interface OrderDetailsProps {
  readonly oid: number;
  /** The order now; undefined if it has left the row, or before the first response about it. */
  readonly order: QueueOrder | undefined;
  /** The list's values of it until then. */
  readonly known: QueueOrder | undefined;
  /** The queue was read: an order not found by then is not in it. */
  readonly isRead: boolean;
  readonly sizeDecimals: number;
  readonly onLife: () => void;
  readonly onClose: () => void;
}

/** Everything known about one order. When it leaves, its last values stay with a notice. */
export function OrderDetails({ oid, order, known, isRead, sizeDecimals, onLife, onClose }: OrderDetailsProps) {
  const { without, onWithout, only, onOnly } = useBookPage();
  const zone = usePreferences((state) => state.timeZone);
  const [last, setLast] = useState<QueueOrder>();
  const now = order ?? known;
  if (now !== undefined && now !== last) setLast(now);
  const shown = now ?? (last?.oid === oid ? last : undefined);
  if (shown === undefined) return isRead ? <NotThere oid={oid} onLife={onLife} onClose={onClose} /> : null;
  const gone = now === undefined;
  return (
    <section
      aria-label={`Order ${oid}`}
      data-part="order"
      data-gone={gone}
      className="border-t border-line bg-surface-2 px-3 py-1.5"
    >
      <div className="flex items-center gap-2">
        <h3 className="num font-semibold text-strong">{oid}</h3>
        {gone ? (
          <span className="text-12 text-stale">no longer at this level; last known values</span>
        ) : (
          <span className="text-12 text-dim">
            {shown.place === 0 ? 'next in line' : `${counted(shown.place, 'order')} ahead`}
          </span>
        )}
        <span className="ml-auto flex">
          <Button onClick={onLife}>Life</Button>
          <Button
            title="Leave this wallet's orders out of the ladder's numbers, and draw them as ghosts"
            aria-pressed={without === shown.user.toLowerCase()}
            onClick={() => onWithout(without === undefined ? addressOf(shown.user) : undefined)}
          >
            Without owner
          </Button>
          <Button
            title="Only this wallet's orders in the ladder; Escape shows everybody's again"
            aria-pressed={only === shown.user.toLowerCase()}
            onClick={() => onOnly(only === undefined ? addressOf(shown.user) : undefined)}
          >
            Only owner
          </Button>
          <CopyButton what="oid" text={() => String(oid)} />
          <IconButton icon={X} name="Close the order" onClick={onClose} />
        </span>
      </div>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 text-12">
        <Fact name="owner" copy={shown.user}>
          {/* A truncated address keeps both ends, because people compare them. */}
          <span className="flex whitespace-nowrap" title={shown.user}>
            <span className="truncate">{shown.user.slice(0, -6)}</span>
            <span>{shown.user.slice(-6)}</span>
          </span>
        </Fact>
        <Fact name="cloid" copy={shown.cloid ?? undefined}>
          {shown.cloid ?? 'none'}
        </Fact>
        <Fact name="price">{grouped(shown.px)}</Fact>
        <Fact name="size">
          {decimalText(shown.sz, sizeDecimals)}, {decimalText(shown.szAhead, sizeDecimals)} ahead
        </Fact>
        <Fact name="type">
          {shown.orderType}
          {shown.tif === null ? '' : `, ${shown.tif}`}
          {shown.reduceOnly ? ', reduce only' : ''}
        </Fact>
        <Fact name="placed">{shown.timestamp === 0 ? 'not reported' : momentText(shown.timestamp, zone)}</Fact>
      </dl>
    </section>
  );
}

/** A URL may name an order that has left since it was copied; the order's life says when, if it is kept. */
function NotThere({ oid, onLife, onClose }: Pick<OrderDetailsProps, 'oid' | 'onLife' | 'onClose'>) {
  return (
    <section
      aria-label={`Order ${oid}`}
      data-part="order"
      data-gone
      className="flex items-center gap-2 border-t border-line bg-surface-2 px-3 py-1.5"
    >
      <p>Order {oid} is no longer at this level.</p>
      <span className="ml-auto flex">
        <Button onClick={onLife}>Life</Button>
        <IconButton icon={X} name="Close the order" onClick={onClose} />
      </span>
    </section>
  );
}

interface FactProps {
  readonly name: string;
  readonly children: ReactNode;
  readonly copy?: string | undefined;
}

function Fact({ name, children, copy }: FactProps) {
  return (
    <>
      <dt className="text-dim">{name}</dt>
      <dd className="num flex min-h-6 min-w-0 items-center">
        <span className="min-w-0 break-all">{children}</span>
        {copy !== undefined && (
          <span className="ml-auto">
            <CopyButton what={name} text={() => copy} />
          </span>
        )}
      </dd>
    </>
  );
}

/** An owner in its URL form; undefined for an order whose owner is not known. */
function addressOf(user: string): Address | undefined {
  return address.safeParse(user.toLowerCase()).data;
}
