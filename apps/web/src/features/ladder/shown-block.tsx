import { useBook } from '../../book-worker/use-book.ts';
import { usePreferences } from '../../state/preferences.ts';
import { clockText, momentText, wholeText, zoneText } from '../../ui/format.ts';

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
