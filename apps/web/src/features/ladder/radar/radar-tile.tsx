import { roundTo } from '@l4desk/decimal';
import { blockAgeOf, briefText } from '../../../book-worker/clocks.ts';
import { BOOK_STATE_TEXTS, integrityOf } from '../../../book-worker/integrity.ts';
import { midText } from '../../../book-worker/mid-text.ts';
import type { RadarTile } from '../../../book-worker/radar/messages.ts';
import { useLive } from '../../../book-worker/use-book.ts';
import { useNow } from '../../../hooks/use-now.ts';
import { classNames } from '../../../ui/class-names.ts';
import { counted } from '../../../ui/format.ts';
import { leanText } from '../owners/texts.ts';
import { EventBars, LeanBar } from './draw-tile.tsx';

interface TileProps {
  readonly coin: string;
  readonly tile: RadarTile | undefined;
  readonly isOpen: boolean;
  readonly tabIndex: number;
  readonly onOpen: () => void;
}

export function Tile({ coin, tile, isOpen, tabIndex, onOpen }: TileProps) {
  const now = useNow();
  const { source } = useLive();
  const { state, headline, reason } = integrityOf(tile, Math.max(now, tile?.lastMessageAt ?? 0), source);
  const isLive = state === 'live';
  const age = tile && blockAgeOf(tile, source, now);
  const rate = tile?.changesPerSecond?.toFixed(1);
  const bps = spreadText(tile);
  const { word, sign } = BOOK_STATE_TEXTS[state];
  const mid = tile && midText(tile.best, tile.tick);
  return (
    <button
      type="button"
      data-part="radar-tile"
      data-coin={coin}
      data-state={state}
      data-height={tile?.position?.height}
      data-age-ms={age && Math.round(age.ms)}
      data-spread-bps={tile?.spreadBps}
      data-lean={tile?.lean}
      aria-current={isOpen}
      aria-label={labelOf(coin, word, tile, mid, rate)}
      title={`${headline}: ${reason}`}
      tabIndex={tabIndex}
      onClick={onOpen}
      className={classNames(
        'flex min-w-0 flex-col gap-0.5 border-r border-b border-line px-2 py-1 text-left -outline-offset-2 hover:bg-surface-2',
        isOpen && 'bg-accent-soft',
        !isLive && 'grayscale',
      )}
    >
      <span className="flex w-full items-center gap-2">
        <span className="shrink-0 font-semibold text-strong">{coin}</span>
        <span className={classNames('num shrink-0 text-11 whitespace-nowrap', isLive ? 'text-exact' : 'text-stale')}>
          {sign} {word}
          {!isLive && age !== undefined && ` ${briefText(age.ms)}`}
        </span>
        <EventBars events={tile?.events ?? []} />
      </span>
      <span className="num flex w-full justify-between gap-2 text-12 whitespace-nowrap">
        <span className={isLive ? 'text-text' : 'text-dim'} data-field="mid">
          {mid ?? '—'}
        </span>
        <span className="text-dim">{bps === null ? '—' : `${bps} bps`}</span>
        <span className="text-dim">{leanText(tile?.lean ?? null)}</span>
        <span className="text-dim">{rate === undefined ? '—' : `${rate}/s`}</span>
      </span>
      <LeanBar lean={tile?.lean ?? null} />
      <span className="num text-11 text-dim">{watchedText(tile)}</span>
    </button>
  );
}

/** In basis points with two decimals; null if unknown. */
function spreadText(tile: RadarTile | undefined): string | null {
  const spread = tile?.spreadBps ?? null;
  return spread === null ? null : roundTo(spread, 2);
}

/** How many orders of watched wallets rest in the book; a dash before there is a book. */
function watchedText(tile: RadarTile | undefined): string {
  if (tile?.position === undefined) return '—';
  const { bids, asks } = tile.watched;
  return bids + asks === 0 ? 'no watched order' : `watched ${counted(bids, 'bid')}, ${counted(asks, 'ask')}`;
}

function labelOf(
  coin: string,
  word: string,
  tile: RadarTile | undefined,
  mid: string | undefined,
  rate: string | undefined,
): string {
  const bps = spreadText(tile);
  const lean = tile?.lean ?? null;
  const facts = [
    `${coin}, ${word.toLowerCase()}`,
    mid === undefined ? undefined : `mid ${mid}`,
    bps === null ? undefined : `spread ${bps} basis points`,
    lean === null ? undefined : `imbalance ${leanText(lean)}`,
    rate === undefined ? undefined : `${rate} changes a second`,
    tile?.position === undefined ? undefined : watchedText(tile),
  ];
  return facts.filter((fact) => fact !== undefined).join(', ');
}
