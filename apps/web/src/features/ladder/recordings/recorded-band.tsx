import { TARIFF } from '@l4desk/protocol';
import { FileClock } from 'lucide-react';
import { useEffect, useState } from 'react';
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

/** Accepts a file dropped anywhere on the page, and shows a hint while one is dragged over it. */
export function DropTarget({ onFile }: { readonly onFile: (file: File) => void }) {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const holdsFile = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
    const onDragOver = (event: DragEvent) => {
      if (!holdsFile(event)) return;
      // Otherwise the browser would navigate to the file.
      event.preventDefault();
      setIsOver(true);
    };
    const onDragLeave = (event: DragEvent) => {
      // Between two elements of the page the related target is never null.
      if (event.relatedTarget === null) setIsOver(false);
    };
    const onDrop = (event: DragEvent) => {
      if (!holdsFile(event)) return;
      event.preventDefault();
      setIsOver(false);
      const file = event.dataTransfer?.files[0];
      if (file !== undefined) onFile(file);
    };
    const ending = new AbortController();
    const { signal } = ending;
    document.addEventListener('dragover', onDragOver, { signal });
    document.addEventListener('dragleave', onDragLeave, { signal });
    document.addEventListener('drop', onDrop, { signal });
    return () => ending.abort();
  }, [onFile]);
  if (!isOver) return null;
  return (
    <output
      aria-label="Drop target"
      className="pointer-events-none fixed inset-2 z-40 flex items-center justify-center rounded-4 border-2 border-dashed border-accent bg-surface-1/80 text-15 font-semibold text-strong"
    >
      Drop a recording (.l4rec) to travel in it
    </output>
  );
}
