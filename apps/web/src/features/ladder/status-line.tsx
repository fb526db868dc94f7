import { PriceRule } from '../../api/price-rule.tsx';
import type { BookCounts } from '../../book-worker/position.ts';
import { useBook } from '../../book-worker/use-book.ts';
import { useIsKeyOn } from '../../hooks/actions.ts';
import { PHONE, useMedia } from '../../hooks/use-media.ts';
import { usePreferences } from '../../state/preferences.ts';
import { clockText, counted, momentText, wholeText, zoneText } from '../../ui/format.ts';

export function StatusLine() {
  const counts = useBook(({ shown }) => shown?.counts);
  const isKeyOn = useIsKeyOn();
  const isPhone = useMedia(PHONE);
  return (
    <footer className="relative isolate h-[calc(1lh+5px)] shrink-0 border-t border-line bg-surface-1 text-12 text-dim">
      <div className="own-layout flex items-center justify-between gap-x-4 px-3 whitespace-nowrap">
        <span className="flex min-w-0 gap-x-4">
          <ShownBlock withTime />
          {/* What has no room is left out, not cut: the first part too, which wraps after an item without width. */}
          <span
            className="num flex h-[1lh] min-w-0 flex-wrap overflow-hidden before:h-[1lh] before:content-['']"
            data-part="counts"
          >
            <span>{counts === undefined ? 'no book yet' : countsText(counts, !isPhone)}</span>
          </span>
        </span>
        <span className="flex gap-x-4 max-sm:hidden">
          <PriceRule />
          {isKeyOn('?') && (
            <span>
              <kbd className="num">?</kbd> explains this page
            </span>
          )}
        </span>
      </div>
    </footer>
  );
}

function countsText({ bids, asks, levels }: BookCounts, withSides: boolean): string {
  const orders = counted(bids + asks, 'order');
  return withSides ? `${orders} · ${wholeText(bids)} B · ${wholeText(asks)} A · ${counted(levels, 'level')}` : orders;
}

interface ShownBlockProps {
  readonly withTime?: boolean;
}

/** The block that the ladder and all panes show; nothing before there is one. */
export function ShownBlock({ withTime = false }: ShownBlockProps) {
  const zone = usePreferences((state) => state.timeZone);
  const shown = useBook((book) => book.shown);
  if (shown === undefined) return null;
  const { frozen, height, blockTime } = shown;
  return (
    <span
      data-part="shown-block"
      data-frozen={frozen}
      data-height={height}
      data-time={new Date(blockTime).toISOString()}
      title={`The block that the ladder and all panes show, of ${momentText(blockTime, zone)}`}
      className={`num shrink-0 ${frozen ? 'text-strong' : 'text-dim'}`}
    >
      <span className="max-sm:sr-only">block </span>
      {wholeText(height)}
      {withTime && ` · ${clockText(blockTime, zone)} ${zoneText(zone, blockTime)}`}
    </span>
  );
}
