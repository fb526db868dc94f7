import { usePreferences } from '../../hooks/preferences.ts';
import { useLiveStatus } from '../../live/live-context.tsx';
import { clockText, counted, momentText, wholeText, zoneText } from '../../ui/format.ts';

/** The last line: how much there is, and when it was true. */
export function StatusLine() {
  const status = useLiveStatus();
  const zone = usePreferences((state) => state.timeZone);
  const counts = status?.counts;
  const at = (status?.frozen ?? status?.position)?.blockTime;
  return (
    <footer className="flex flex-wrap items-center justify-between gap-x-4 border-t border-line bg-surface-1 px-3 py-0.5 text-12 text-dim">
      <span className="num">
        {counts === undefined ? 'no book yet' : counted(counts.bids + counts.asks, 'order')}
        {counts !== undefined && (
          <span className="max-sm:hidden">
            {' '}
            · {wholeText(counts.bids)} B · {wholeText(counts.asks)} A · {counted(counts.levels, 'level')}
          </span>
        )}
      </span>
      <span className="flex items-center gap-x-4">
        {at !== undefined && (
          <time className="num" dateTime={new Date(at).toISOString()} title={momentText(at, zone)}>
            {clockText(at, zone)} {zoneText(zone, at)}
          </time>
        )}
        <span className="max-sm:hidden">
          <kbd className="num">?</kbd> shortcuts
        </span>
      </span>
    </footer>
  );
}
