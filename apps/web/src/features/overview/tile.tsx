import { Link, type LinkProps } from '@tanstack/react-router';
import { RefreshCw } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useAutoLoadLimit } from '../../api/price-rule.tsx';
import { useServiceResponse } from '../../api/readiness.ts';
import { useMedia } from '../../hooks/use-media.ts';
import { usePageSearch } from '../../state/page-search.ts';
import { usePreferences } from '../../state/preferences.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { wholeText } from '../../ui/format.ts';
import { adviceOf, isRefusal, isUnreachable } from '../../ui/page/advice.ts';
import { PaneBoundary } from '../../ui/page/pane-boundary.tsx';
import { Age, Ago } from '../../ui/page/states.tsx';
import { PriceTag } from '../../ui/price-tag.tsx';
import { walletLinkOf } from '../../wallets/wallet-choice.ts';
import { overviewSearch } from './search.ts';

interface TileProps {
  readonly title: string;
  readonly to?: NonNullable<LinkProps['to']>;
  readonly className?: string;
  /** When its numbers were current, ms; undefined if they are live or there are none. */
  readonly at?: number | undefined;
  /** The numbers are out of date: shown greyed, with their age in amber. */
  readonly isStale?: boolean;
  readonly refresh?: { readonly credits: number; readonly isBusy: boolean; readonly run: () => void } | undefined;
  readonly children: ReactNode;
}

/** The parameter of links to pages that show the same wallets. */
export function useWalletLink(): string | undefined {
  const { choices, invalid } = usePageSearch(overviewSearch);
  return walletLinkOf(choices, invalid);
}

/** A part of the overview: a summary of one page, its age, and the price of a refresh. */
export function Tile({ title, to, className, at, isStale = false, refresh, children }: TileProps) {
  const id = useId();
  const w = useWalletLink();
  return (
    <section aria-labelledby={id} className={classNames('flex min-w-0 flex-col bg-surface-0', className)}>
      <header className="flex min-h-[calc(var(--control)+9px)] flex-wrap items-center justify-between gap-x-3 px-3 py-1">
        <h2 id={id} className="font-semibold">
          {to === undefined ? (
            <span className="text-strong">{title}</span>
          ) : (
            <Link
              to={to}
              search={{ w: to === '/balances' || to === '/orders' ? w : undefined }}
              className="rounded-4 text-strong hover:underline"
            >
              {title}{' '}
              <span aria-hidden className="font-normal text-dim">
                ›
              </span>
            </Link>
          )}
        </h2>
        <span data-steady className="flex items-center gap-2 text-12">
          {at !== undefined && <Age at={at} {...(isStale ? { staleAfterMs: 0 } : {})} />}
          {refresh && (
            <Button aria-label={`Refresh ${title}`} disabled={refresh.isBusy} onClick={refresh.run}>
              <RefreshCw size={14} strokeWidth={1.75} aria-hidden />
              <PriceTag credits={refresh.credits} short />
            </Button>
          )}
        </span>
      </header>
      <div className={classNames('flex min-w-0 grow flex-col px-3 pb-3', isStale && 'text-dim **:text-dim')}>
        <PaneBoundary name={title}>{children}</PaneBoundary>
      </div>
    </section>
  );
}

/** Shown while the numbers load. The tile leaves room for them, so that those below hardly move. */
export function TileLoading({ what, room = 'min-h-45' }: { readonly what: string; readonly room?: string }) {
  return (
    <output className={classNames('text-dim motion-safe:animate-[appear_0s_200ms_both]', room)}>Loading {what}…</output>
  );
}

interface TileFailedProps {
  readonly error: unknown;
  /** When the call failed, in ms. */
  readonly at: number;
  readonly kept: boolean;
  /** What the call was for, if others did not fail: `1 of 43 wallets`. */
  readonly of?: string | undefined;
}

/** Shown after a failed call: what happened, how long ago, and what to do. The tile's refresh control retries. */
export function TileFailed({ error, at, kept, of }: TileFailedProps) {
  const zone = usePreferences((state) => state.timeZone);
  const { response, at: respondedAt } = useServiceResponse();
  // Not all that is on the screen is from before the failure.
  const { title: what, text: advice } = adviceOf(error, zone, kept && of === undefined);
  const title = of === undefined ? what : `${of}: ${what}`;
  // A band of the page says the rest of a refusal; the age in the tile's heading, and the alarms, that of a silent service.
  const text = isRefusal(error)
    ? ''
    : !isUnreachable(error)
      ? advice
      : response.kind !== 'none' && respondedAt > at
        ? 'It responds again: refresh.'
        : 'The page keeps checking whether it responds.';
  return (
    <TickingAlert announced={`${title}. ${text}`} look={kept ? 'pb-2' : 'm-auto max-w-sm py-3'}>
      <strong className="text-stale!">
        ! {title} · <Ago at={at} />.
      </strong>{' '}
      {text}
    </TickingAlert>
  );
}

interface TickingAlertProps {
  /** What a screen reader says, once. */
  readonly announced: string;
  readonly look: string;
  readonly children: ReactNode;
}

/** A failure with its age: an alert with a text that ticks would be read out every second. */
export function TickingAlert({ announced, look, children }: TickingAlertProps) {
  return (
    <p className={classNames('text-text!', look)}>
      <span role="alert" className="sr-only">
        {announced}
      </span>
      <span aria-hidden>{children}</span>
    </p>
  );
}

/** Why a tile is not loaded: the tiles before it may have used a part of the limit. */
export function OverLimit() {
  const limit = useAutoLoadLimit();
  return limit === 0
    ? 'Nothing is loaded without a press.'
    : `Costs more than is left of the ${wholeText(limit)} credits that the page loads automatically.`;
}

/** The space that the window leaves for a tile. */
export function useRoom() {
  const isTall = useMedia('(min-height: 800px)');
  const isVeryTall = useMedia('(min-height: 1200px)');
  const isWide = useMedia('(min-width: 2000px)');
  const coins = isVeryTall ? 12 : isTall ? 5 : 3;
  const tokens = isVeryTall ? 24 : 10;
  return {
    rows: isVeryTall ? 36 : isTall ? 18 : 9,
    tokens,
    coins,
    // They are below other tiles.
    wallets: isVeryTall ? 30 : coins,
    ends: isVeryTall ? 20 : isTall ? 6 : 4,
    isWide,
  };
}
