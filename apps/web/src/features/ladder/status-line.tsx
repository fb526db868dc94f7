import type { BookCounts } from '../../book-worker/panes.ts';
import { usePanes } from '../../book-worker/use-panes.ts';
import { usePreferences } from '../../state/preferences.ts';
import { clockText, counted, momentText, wholeText, zoneText } from '../../ui/format.ts';

/** The last line: how much there is, and when it was true. All of it is of the block that the rows are of. */
export function StatusLine() {
  const orders = usePanes(({ counts }) => counted(counts.bids + counts.asks, 'order'));
  const sides = usePanes(({ counts }) => sidesText(counts));
  return (
    <footer className="flex flex-wrap items-center justify-between gap-x-4 border-t border-line bg-surface-1 px-3 py-0.5 text-12 text-dim">
      <span className="num" data-part="counts">
        {orders ?? 'no book yet'}
        {sides !== undefined && <span className="max-sm:hidden"> · {sides}</span>}
      </span>
      <span className="flex items-center gap-x-4">
        <BlockTime />
        <span className="max-sm:hidden">
          <kbd className="num">?</kbd> shortcuts
        </span>
      </span>
    </footer>
  );
}

/** The time of the shown block. */
function BlockTime() {
  const zone = usePreferences((state) => state.timeZone);
  const at = usePanes((frame) => frame.blockTime);
  if (at === undefined) return null;
  return (
    <time className="num" dateTime={new Date(at).toISOString()} title={momentText(at, zone)}>
      {clockText(at, zone)} {zoneText(zone, at)}
    </time>
  );
}

function sidesText({ bids, asks, levels }: BookCounts): string {
  return `${wholeText(bids)} B · ${wholeText(asks)} A · ${counted(levels, 'level')}`;
}
