import { useRef } from 'react';
import { useLive } from '../../book-worker/live-context.tsx';
import type { LiveStatus } from '../../book-worker/messages.ts';
import { useBookView } from '../../book-worker/use-integrity.ts';
import { usePreferences } from '../../state/preferences.ts';
import { clockText, counted, momentText, wholeText, zoneText } from '../../ui/format.ts';
import { LiveText, useLiveAttributes } from './live-text.tsx';

/** The last line: how much there is, and when it was true. */
export function StatusLine() {
  const hasBook = useBookView(({ status }) => status?.counts !== undefined);
  const hasTime = useBookView(({ status }) => blockTimeOf(status) !== undefined);
  return (
    <footer className="flex flex-wrap items-center justify-between gap-x-4 border-t border-line bg-surface-1 px-3 py-0.5 text-12 text-dim">
      <span className="num">
        {hasBook ? <LiveText read={ordersText} /> : 'no book yet'}
        {hasBook && (
          <span className="max-sm:hidden">
            {' '}
            · <LiveText read={sidesText} />
          </span>
        )}
      </span>
      <span className="flex items-center gap-x-4">
        {hasTime && <BlockTime />}
        <span className="max-sm:hidden">
          <kbd className="num">?</kbd> shortcuts
        </span>
      </span>
    </footer>
  );
}

/** The time of the shown block. */
function BlockTime() {
  const live = useLive();
  const zone = usePreferences((state) => state.timeZone);
  const element = useRef<HTMLTimeElement>(null);
  const at = () => blockTimeOf(live.status());
  useLiveAttributes(
    element,
    () => ({ datetime: withTime(at(), (time) => new Date(time).toISOString()) }),
    () => ({ title: withTime(at(), (time) => momentText(time, zone)) }),
  );
  return (
    <time ref={element} className="num">
      <LiveText
        read={(status) =>
          withTime(blockTimeOf(status), (time) => `${clockText(time, zone)} ${zoneText(zone, time)}`) ?? ''
        }
      />
    </time>
  );
}

const blockTimeOf = (status: LiveStatus | undefined) => (status?.frozen ?? status?.position)?.blockTime;

function withTime(at: number | undefined, text: (at: number) => string): string | undefined {
  return at === undefined ? undefined : text(at);
}

const ordersText = ({ counts }: LiveStatus) =>
  counts === undefined ? '' : counted(counts.bids + counts.asks, 'order');

function sidesText({ counts }: LiveStatus): string {
  if (counts === undefined) return '';
  return `${wholeText(counts.bids)} B · ${wholeText(counts.asks)} A · ${counted(counts.levels, 'level')}`;
}
