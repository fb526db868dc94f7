import type { ReactNode } from 'react';
import { isUnproven, useBook } from '../../book-worker/use-book.ts';
import { useNow } from '../../hooks/use-now.ts';
import { useBookPage } from './book-page.ts';
import { PausedText } from './paused-text.tsx';

interface PaneMessageProps {
  readonly coin: string;
  readonly hasRows: boolean;
  readonly paused: boolean;
  /** Height of a row, px. */
  readonly rowHeight: number;
}

/**
 * The message below the headings, or in place of the rows while there are none. There is none for live rows, or for a recording
 * that is not played: the page announces it above them while it is shown.
 */
export function PaneMessage(props: PaneMessageProps) {
  const { playing } = useBookPage();
  const isSilent = useBook(({ integrity, status }) => {
    if (integrity.state === 'recorded') return status?.frozen !== undefined && !playing;
    return integrity.state === 'live' && !(props.paused && status?.frozen !== undefined);
  });
  return isSilent ? null : <Message {...props} />;
}

function Message({ coin, hasRows, paused, rowHeight }: PaneMessageProps) {
  const integrity = useBook(({ integrity }) => integrity);
  const status = useBook(({ status }) => status);
  const now = useNow();
  if (paused && status?.frozen !== undefined) {
    return (
      <Band rowHeight={rowHeight} tone={isUnproven({ integrity, status }) ? 'stale' : 'accent'}>
        <PausedText status={status} frozen={status.frozen} integrity={integrity} now={now} />
      </Band>
    );
  }
  if (!hasRows) {
    return (
      <div className="pointer-events-none absolute inset-0 flex items-center justify-center p-4">
        <p className="text-center text-dim" data-part="pane-state">
          {integrity.state === 'unavailable' ? '' : `Loading the ${coin} book: `}
          {integrity.reason}
        </p>
      </div>
    );
  }
  return (
    <Band rowHeight={rowHeight} tone="stale">
      <strong>{integrity.headline}</strong>
      {integrity.state === 'suspect' ? '' : ` · ${integrity.reason}`}
    </Band>
  );
}

interface BandProps {
  readonly tone: 'stale' | 'accent';
  readonly rowHeight: number;
  readonly children: ReactNode;
}

/**
 * In place of the first row below the headings, which can be scrolled into view: it covers the whole of that row, because what it
 * left of a number would look like another number.
 */
function Band({ tone, rowHeight, children }: BandProps) {
  return (
    <div
      style={{ height: rowHeight }}
      className={`@container pointer-events-none absolute inset-x-0 top-[22px] flex items-center justify-end border-b ${
        tone === 'stale' ? 'border-stale bg-surface-1 text-stale' : 'border-accent bg-surface-1 text-strong'
      }`}
    >
      <p
        data-part="pane-state"
        className={`flex h-full min-w-0 grow items-center justify-end px-3 text-12 ${tone === 'stale' ? '' : 'bg-accent-soft'}`}
      >
        <span className="min-w-0 truncate">{children}</span>
      </p>
    </div>
  );
}
