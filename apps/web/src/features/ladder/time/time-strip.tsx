import { Pause, Play } from 'lucide-react';
import { useLive } from '../../../book-worker/live-context.tsx';
import { usePanes } from '../../../book-worker/use-panes.ts';
import { usePreferences } from '../../../state/preferences.ts';
import { IconButton } from '../../../ui/button.tsx';
import { clockText, zoneText } from '../../../ui/format.ts';
import { useBookPage } from '../book-page.ts';

/** Where in time the shown book is, and the way back to live. */
export function TimeStrip() {
  const live = useLive();
  const { paused } = useBookPage();
  const zone = usePreferences((state) => state.timeZone);
  const time = usePanes((frame) => frame.blockTime);
  return (
    <>
      <IconButton
        icon={paused ? Play : Pause}
        name={paused ? 'Return to live (P)' : 'Hold this block (P)'}
        aria-pressed={paused}
        onClick={() => live.pause(!paused)}
      />
      <span className="num whitespace-nowrap">
        {time === undefined ? '' : `${clockText(time, zone)} ${zoneText(zone, time)}`}
      </span>
      <span className="text-dim">{paused ? 'held' : 'live'}</span>
    </>
  );
}
