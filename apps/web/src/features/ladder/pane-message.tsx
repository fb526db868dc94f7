import type { ReactNode } from 'react';
import { useLiveStatus } from '../../book-worker/live-context.tsx';
import { isUnproven, useBookView, useIntegrity } from '../../book-worker/use-integrity.ts';
import { useNow } from '../../hooks/use-now.ts';
import { useBookPage } from './book-page.ts';
import { PausedText } from './paused-text.tsx';

interface PaneMessageProps {
  readonly coin: string;
  readonly hasRows: boolean;
  readonly paused: boolean;
}

/**
 * The message below the headings, or in place of the rows while there are none. There is none for live rows, or for a recording
 * that is not played: the page announces it above them while it is shown.
 */
export function PaneMessage(props: PaneMessageProps) {
  const { playing } = useBookPage();
  const isSilent = useBookView(({ integrity, status }) => {
    if (integrity.state === 'recorded') return status?.frozen !== undefined && !playing;
    return integrity.state === 'live' && !(props.paused && status?.frozen !== undefined);
  });
  return isSilent ? null : <Message {...props} />;
}

function Message({ coin, hasRows, paused }: PaneMessageProps) {
  const integrity = useIntegrity();
  const status = useLiveStatus();
  const now = useNow();
  if (paused && status?.frozen !== undefined) {
    return (
      <Band tone={isUnproven({ integrity, status, now }) ? 'stale' : 'accent'}>
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
    <Band tone="stale">
      <strong>{integrity.headline}</strong>
      {integrity.state === 'suspect' ? '' : ` · ${integrity.reason}`}
    </Band>
  );
}

/**
 * Placed below the headings: the row it covers can be scrolled. On a phone it covers the headings instead, or it would hide a
 * whole row.
 */
function Band({ tone, children }: { readonly tone: 'stale' | 'accent'; readonly children: ReactNode }) {
  return (
    <div className="@container pointer-events-none absolute inset-x-0 top-[22px] flex justify-end max-sm:top-0">
      <p
        data-part="pane-state"
        className={`min-w-0 truncate border-b border-l px-3 py-[2.5px] text-12 ${
          tone === 'stale' ? 'border-stale bg-surface-1 text-stale' : 'border-accent bg-accent-soft text-strong'
        }`}
      >
        {children}
      </p>
    </div>
  );
}
