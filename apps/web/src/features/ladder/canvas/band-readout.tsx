import { basisPoints, subtract } from '@l4desk/decimal';
import { X } from 'lucide-react';
import type { RulerSide } from '../../../book-worker/panes/ruler.ts';
import { indexHolding, tickGrid } from '../../../book-worker/prices.ts';
import { useLiveTicks, usePane } from '../../../book-worker/use-book.ts';
import { IconButton } from '../../../ui/button.tsx';
import { counted, decimalText, grouped, wholeText } from '../../../ui/format.ts';
import { useBookPage } from '../book-page.ts';
import { unitOf } from './paint-lines.ts';
import type { BandPrices } from './scene-types.ts';

interface BandReadoutProps {
  readonly isRuler: boolean;
  /** The rows do not show the whole book, so what a sweep takes is not the sum they show. */
  readonly isPart: boolean;
  readonly onEnd: () => void;
  readonly band: BandPrices | undefined;
}

/** Shows what rests between the ruler's two prices, or what a sweep being drawn would take. Both use the same place. */
export function BandReadout({ isRuler, isPart, onEnd, band }: BandReadoutProps) {
  if (band === undefined && !isRuler) return null;
  return (
    <div className="pointer-events-none absolute bottom-9 left-4 z-10 flex max-w-[calc(100%-32px)] items-center gap-x-2 rounded-4 border border-edge bg-surface-2 pr-1 pl-3 text-12 text-text">
      <output
        data-part="band"
        data-kind={band?.kind ?? 'ruler'}
        className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-0.5 py-1"
      >
        {band === undefined ? (
          <span className="text-dim">Ruler: drag from one price to another, or use the arrow keys. Esc ends it.</span>
        ) : band.kind === 'ruler' ? (
          <Measured band={band} />
        ) : (
          <Swept band={band} isPart={isPart} />
        )}
      </output>
      <span className="pointer-events-auto flex">
        <IconButton
          icon={X}
          name={isRuler ? 'Turn the ruler off (Esc)' : 'Let go of these prices (Esc)'}
          onClick={onEnd}
        />
      </span>
    </div>
  );
}

/** The size is that of the shown book; the one in the sweep pane stays what rested there when the sweep was drawn. */
function Swept({ band: { from, to, sz }, isPart }: { readonly band: BandPrices; readonly isPart: boolean }) {
  const { coin } = useBookPage();
  return (
    <span data-sz={sz} data-px={to.px}>
      {from.side === 'A' ? 'Buy' : 'Sell'} all that rests {from.side === 'A' ? 'up' : 'down'} to{' '}
      <span className="num text-strong">{grouped(to.px)}</span>
      {!isPart && (
        <>
          : <span className="num text-strong">{grouped(sz)}</span> {unitOf(coin)} in the shown book
        </>
      )}
    </span>
  );
}

function Measured({ band: { from, to } }: { readonly band: BandPrices }) {
  const [finest] = useLiveTicks();
  const isDown = subtract(to.px, from.px).startsWith('-');
  const [low, high] = isDown ? [to.px, from.px] : [from.px, to.px];
  const resting = usePane('ruler', { tick: from.tick, low, high });
  const bps = basisPoints(low, high, 2) ?? '0';
  const ticks = finest === undefined ? undefined : ticksBetween(finest, low, high);
  return (
    <>
      <span className="num text-strong" data-from={from.px} data-to={to.px}>
        {grouped(from.px)} → {grouped(to.px)}
      </span>
      <span className="num" data-bps={bps} data-ticks={ticks}>
        {ticks === undefined ? '' : `${counted(ticks, 'tick')} · `}
        {grouped(bps)} bps
      </span>
      {resting !== undefined && (
        <>
          <Between name="bids" side={resting.bids} decimals={resting.sizeDecimals} />
          <Between name="asks" side={resting.asks} decimals={resting.sizeDecimals} />
        </>
      )}
    </>
  );
}

function ticksBetween(finest: string, low: string, high: string): number | undefined {
  const grid = tickGrid(finest);
  const [from, to] = grid === undefined ? [] : [indexHolding(grid, 'B', low), indexHolding(grid, 'B', high)];
  return from === undefined || to === undefined ? undefined : to - from;
}

interface BetweenProps {
  readonly name: 'bids' | 'asks';
  readonly side: RulerSide;
  readonly decimals: number;
}

function Between({ name, side: { orders, sz, notional }, decimals }: BetweenProps) {
  if (orders === 0) return null;
  return (
    <span className="num" data-side={name} data-sz={sz} data-notional={notional} data-orders={orders}>
      <span className={name === 'bids' ? 'text-bid' : 'text-ask'}>{name}</span> {decimalText(sz, decimals)} ·{' '}
      {grouped(notional.split('.')[0] ?? '')} ntl · {wholeText(orders)} {orders === 1 ? 'order' : 'orders'}
    </span>
  );
}
