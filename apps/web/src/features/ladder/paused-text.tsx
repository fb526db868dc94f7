import { basisPoints, compare, divide, middle, subtract } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import type { Integrity } from '../../book-worker/integrity.ts';
import type { LiveStatus } from '../../book-worker/messages.ts';
import type { BestPrices } from '../../book-worker/position.ts';
import { isUnproven, useBook } from '../../book-worker/use-book.ts';
import { counted, grouped, secondsText, wholeText } from '../../ui/format.ts';
import { useBookPage } from './book-page.ts';

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
export function PausedText({ status, frozen, integrity, now }: PausedTextProps) {
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
