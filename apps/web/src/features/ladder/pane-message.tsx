import { basisPoints, compare, divide, middle, subtract } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import type { ReactNode } from 'react';
import type { Integrity } from '../../book-worker/integrity.ts';
import type { LiveStatus } from '../../book-worker/messages.ts';
import type { BestPrices } from '../../book-worker/position.ts';
import { isUnproven, useBook } from '../../book-worker/use-book.ts';
import { useNow } from '../../hooks/use-now.ts';
import { counted, grouped, secondsText, wholeText } from '../../ui/format.ts';
import { useBookPage } from './book-page.ts';

interface PaneMessageProps {
  readonly coin: string;
  readonly hasRows: boolean;
  readonly paused: boolean;
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
          {integrity.state === 'unavailable' ? integrity.reason : `Loading the ${coin} book · ${integrity.reason}`}
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

interface PausedTextProps {
  readonly status: LiveStatus;
  readonly frozen: NonNullable<LiveStatus['frozen']>;
  /** Of the book that goes on. */
  readonly integrity: Integrity;
  readonly now: number;
}

/**
 * The block at which everything on the page is held or played, and how far a live book has moved since. If that book is not known
 * to be current, nobody knows how far the market has gone.
 */
function PausedText({ status, frozen, integrity, now }: PausedTextProps) {
  const { playing } = useBookPage();
  const held = useBook(({ shown }) => (shown?.frozen === true ? shown.best : undefined));
  const tick = status.ticks[0];
  const behind = Math.max(0, (status.position?.height ?? 0) - frozen.height);
  const marketMs = Math.max(0, (status.position?.blockTime ?? 0) - frozen.blockTime);
  return (
    <>
      <strong>{playing ? 'PLAYING' : pausedText(now - frozen.at)}</strong>
      {/* A narrow ladder has room for the block or for how far behind it is; its panes name the block. */}
      <span className={status.recorded === undefined ? '@max-xs:hidden' : ''}>
        {' '}
        at block {wholeText(frozen.height)}
      </span>
      {isUnproven({ integrity, status }) && ` · ${integrity.headline} · how far the market has moved is unknown`}
      {integrity.state === 'live' && (
        <>
          {' '}
          · {counted(behind, 'block')} behind
          <span className="max-sm:hidden">
            {' '}
            ({secondsText(marketMs)}) · {held === undefined ? '' : midMove(held, status.best, tick)}
          </span>
        </>
      )}
    </>
  );
}

/** Just after a step the time is below a second, and says nothing. */
function pausedText(ms: number): string {
  return ms < 1_000 ? 'PAUSED' : `PAUSED ${secondsText(ms)}`;
}

/** How far the mid has moved: `mid +3.5 ticks, +0.43 bps`. */
export function midMove(from: BestPrices, to: BestPrices, tick: DecimalString | undefined): string {
  const [before, after] = [midOf(from), midOf(to)];
  if (before === undefined || after === undefined || tick === undefined) return 'mid unknown';
  const way = compare(after, before);
  if (way === 0) return 'mid unchanged';
  const [low, high] = way > 0 ? [before, after] : [after, before];
  const sign = way > 0 ? '+' : '−';
  const ticks = divide(subtract(high, low), tick, 1) ?? '';
  return `mid ${sign}${grouped(ticks.replace(/\.0$/, ''))} ticks, ${sign}${basisPoints(low, high, 2) ?? ''} bps`;
}

function midOf({ bid, ask }: BestPrices): DecimalString | undefined {
  return bid === undefined || ask === undefined ? undefined : middle(bid, ask);
}
