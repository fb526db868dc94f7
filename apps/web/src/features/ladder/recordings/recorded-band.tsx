import { TARIFF } from '@l4desk/protocol';
import { FileClock } from 'lucide-react';
import type { OpenedRecording } from '../../../book-worker/recorded.ts';
import { useBook } from '../../../book-worker/use-book.ts';
import { useWithKey } from '../../../hooks/actions.ts';
import { useOpenedRecording } from '../../../state/opened-recording.ts';
import { Button } from '../../../ui/button.tsx';
import { counted } from '../../../ui/format.ts';
import { Notice } from '../../../ui/notice.tsx';
import { passesFocus } from '../../../ui/pass-focus.ts';
import { type TimeTexts, useTime } from '../../../ui/use-time.ts';
import { BOOK_CREDITS } from '../books/books.ts';
import type { RecordingActions } from './use-recordings.ts';

/** Shows which recording is open, which file is being opened, and what could not be opened. */
export function RecordedBand({ actions }: { readonly actions: RecordingActions }) {
  const isOpen = useBook(({ status }) => status?.recorded !== undefined);
  return (
    <>
      {actions.problem !== undefined && (
        <Notice onDismiss={actions.onDismiss}>
          <span data-part="recording-problem">{actions.problem}</span>
        </Notice>
      )}
      {actions.busy !== undefined && (
        <output className="border-b border-line px-3 py-1 text-dim">{actions.busy}</output>
      )}
      {isOpen && <OpenBand onLeave={actions.onLeave} />}
    </>
  );
}

function OpenBand({ onLeave }: Pick<RecordingActions, 'onLeave'>) {
  const isWriting = useOpenedRecording((opened) => opened.isWriting);
  const recorded = useBook(({ status }) => status)?.recorded;
  const time = useTime();
  const withKey = useWithKey();
  if (recorded === undefined) return null;
  return (
    <section
      ref={passesFocus}
      aria-label="Recording"
      data-part="recorded"
      data-from={recorded.from.height}
      data-to={recorded.to.height}
      data-gaps={recorded.gaps.length}
      className="flex items-center gap-2 border-b border-line bg-surface-2 py-0.5 pr-1 pl-3 text-12"
    >
      <FileClock size={16} strokeWidth={1.75} className="shrink-0 text-stale" aria-hidden />
      <span className="min-w-0 grow">
        <strong className="text-stale">Recorded {time.day(recorded.from.time)}</strong>{' '}
        <span className="num">
          {spanText(recorded, time)}
          <span className="max-sm:hidden"> · from {recorded.source}</span>
          {lacksText(recorded, isWriting)}
        </span>{' '}
        · the live book rests: not followed, not charged
        {recorded.problem !== undefined && <strong className="text-stale"> · {recorded.problem}</strong>}
      </span>
      <Button
        look="primary"
        title={`${withKey('Follow the live book again', 'live')}: ${BOOK_CREDITS} credits at once, then ${TARIFF.l4BookUpdatesPerCoinMinute} a minute`}
        onClick={onLeave}
      >
        Leave
      </Button>
    </section>
  );
}

function spanText({ coin, from, to }: OpenedRecording, time: TimeTexts): string {
  const clock = (at: number) => time.clock(at).slice(0, 8);
  return `${coin} · ${clock(from.time)} to ${clock(to.time)} ${time.zoneAt(to.time)}`;
}

/** What is missing from the recording; `isWriting` if the service was writing it when it was opened. */
function lacksText({ gaps, isCut }: OpenedRecording, isWriting: boolean): string {
  const end = isWriting ? ' · still being recorded' : ' · cut off at its end';
  return ` · ${gaps.length === 0 ? 'no gaps' : counted(gaps.length, 'gap')}${isCut ? end : ''}`;
}
