import { basisPoints } from '@l4desk/decimal';
import type { Readiness } from '@l4desk/protocol';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useServiceResponse } from '../../api/readiness.ts';
import { coinsQuery } from '../../api/session.ts';
import { BOOK_STATE_TEXTS } from '../../book-worker/integrity.ts';
import { midText } from '../../book-worker/mid-text.ts';
import { useBook, useLive } from '../../book-worker/use-book.ts';
import { useUpstreamOverdue } from '../../book-worker/use-upstream-overdue.ts';
import { Button } from '../../ui/button.tsx';
import { classNames, signColour } from '../../ui/class-names.ts';
import { columnDecimals, counted, decimalText, grouped, secondsText, wholeText } from '../../ui/format.ts';
import { GROUP_OF_HINTS } from '../../ui/group-of-hints.ts';
import { Age } from '../../ui/page/states.tsx';
import { PriceTag } from '../../ui/price-tag.tsx';
import type { CoinMarket } from './funding-extremes.ts';
import { Tile, TileFailed, TileLoading } from './tile.tsx';
import { BOOK_CREDITS, type Overview } from './use-overview.ts';

/**
 * The figures of a book in the order of a row's cells: the widths at which they are hidden, and room for those of a followed book,
 * which come last.
 */
const FIGURES: readonly { readonly heading: string; readonly look: string; readonly hint?: string }[] = [
  { heading: 'Mid', look: 'min-w-20' },
  {
    heading: '24 h',
    look: 'min-w-20 max-sm:hidden',
    hint: 'The mark against the price 24 hours ago, as loaded with the funding rates',
  },
  { heading: 'Bid', look: 'min-w-20 max-pair:hidden' },
  { heading: 'Ask', look: 'min-w-20 max-pair:hidden' },
  { heading: 'Spread', look: 'min-w-20 max-pair:hidden' },
  { heading: 'Orders', look: 'min-w-16 max-pair:hidden' },
  { heading: 'Levels', look: 'min-w-16 max-[1399px]:hidden' },
];

const PROOF = `How far the page has proven its copy of the followed book. ${BOOK_STATE_TEXTS.live.word}: ${BOOK_STATE_TEXTS.live.meaning}; verified: equal to a fresh snapshot, order by order.`;

/** The height of a heading and four books, so that the tiles below do not move when the list of coins arrives. */
const ROOM = 'min-h-[calc(max(var(--row),24px)+4*max(var(--row),28px))]';

interface BooksTileProps {
  readonly coins: readonly string[];
  readonly markets: Overview['markets'];
  readonly className: string;
}

/** The followed book with its proof, and the books followed before it. */
export function BooksTile({ coins, markets, className }: BooksTileProps) {
  const followed = useBook(({ status }) => status?.coin);
  const { data, response } = useServiceResponse();
  const isOverdue = useUpstreamOverdue(data) !== undefined;
  // What a service that does not respond said of its books is old.
  const books = response.kind === 'none' ? undefined : data?.books;
  const listed = followed === undefined || coins.includes(followed) ? coins : [followed, ...coins];
  if (listed.length === 0) {
    return (
      <Tile title="Books" to="/book" className={className}>
        <div className={classNames('flex', ROOM)}>
          <NoCoins />
        </div>
      </Tile>
    );
  }
  return (
    <Tile title="Books" to="/book" className={className}>
      <div className={ROOM}>
        <table aria-label="Books" className="w-full border-collapse [&_td]:px-2 [&_th]:px-2">
          <thead>
            <tr
              {...GROUP_OF_HINTS}
              className="border-b border-line text-12 text-dim *:h-[max(var(--row),24px)] *:font-medium *:whitespace-nowrap"
            >
              <th scope="col" className="pl-1! text-left">
                Coin
              </th>
              {FIGURES.map(({ heading, look, hint }) => (
                <th key={heading} scope="col" title={hint} className={classNames('text-right', look)}>
                  {heading}
                </th>
              ))}
              <th scope="col" className="text-left" title={PROOF}>
                Proof
              </th>
            </tr>
          </thead>
          <tbody>
            {listed.map((coin) => {
              const market = markets.shown?.value.find((each) => each.coin === coin);
              const isKnown = !markets.isOld && !markets.query.isError;
              const change = market?.change && (
                <span className={isKnown ? signColour(market.change) : 'text-dim'}>{market.change}</span>
              );
              return coin === followed ? (
                <FollowedRow key={coin} {...{ coin, change }} />
              ) : (
                <OtherRow
                  key={coin}
                  {...{ coin, market, change }}
                  at={markets.shown?.at}
                  state={serviceState(books?.[coin], isOverdue)}
                />
              );
            })}
          </tbody>
        </table>
      </div>
    </Tile>
  );
}

/** Shown without coins: why there are none. */
function NoCoins() {
  const { data, error, errorUpdatedAt } = useQuery(coinsQuery);
  if (error !== null) return <TileFailed error={error} at={errorUpdatedAt} kept={false} />;
  if (data === undefined) return <TileLoading what="coins" room={ROOM} />;
  return (
    <p className="m-auto py-3 text-center text-dim">
      The service does not know the exchange’s coins yet: its upstream has not responded.
    </p>
  );
}

function Row({
  coin,
  isDim,
  cells,
  proof,
}: {
  readonly coin: string;
  /** The figures are not proven to be current. */
  readonly isDim: boolean;
  /** One per entry of FIGURES; undefined if there is no value. */
  readonly cells: readonly ReactNode[];
  readonly proof: ReactNode;
}) {
  return (
    <tr className="*:h-[max(var(--row),28px)] hover:bg-surface-2">
      <th scope="row" className="pl-1! text-left font-normal whitespace-nowrap">
        <Link
          to="/book/$coin"
          params={{ coin }}
          search={{}}
          className="rounded-4 font-medium text-strong underline decoration-edge underline-offset-2 hover:decoration-current"
        >
          {coin}
        </Link>
      </th>
      {FIGURES.map(({ heading, look }, index) => (
        <td key={heading} className={classNames('num text-right text-12 whitespace-nowrap', isDim && 'text-dim', look)}>
          {cells[index] ?? <span className="text-dim">—</span>}
        </td>
      ))}
      <td className="w-full">{proof}</td>
    </tr>
  );
}

/** A book that this page follows: its best prices, and how far they are proven. */
function FollowedRow({ coin, change }: { readonly coin: string; readonly change: ReactNode }) {
  const { bid, ask, orders, levels, state, reason, headline, height, gaps, verified, tick } = useBook(
    ({ status, integrity, now }) => ({
      ...status?.best,
      orders: status?.counts && status.counts.bids + status.counts.asks,
      levels: status?.counts?.levels,
      state: integrity.state,
      reason: integrity.reason,
      headline: integrity.headline,
      height: status?.position?.height,
      gaps: status?.gaps ?? 0,
      verified: status?.verification?.kind === 'equal' ? secondsText(now - status.verification.at) : undefined,
      tick: status?.ticks[0] ?? '',
    }),
  );
  const decimals = columnDecimals([tick]);
  const both = bid !== undefined && ask !== undefined;
  const spread = both ? basisPoints(bid, ask, 2) : undefined;
  return (
    <Row
      coin={coin}
      isDim={state !== 'live'}
      cells={[
        midText({ bid, ask }, tick),
        change,
        bid && decimalText(bid, decimals),
        ask && decimalText(ask, decimals),
        spread && `${spread} bps`,
        orders === undefined ? undefined : wholeText(orders),
        levels === undefined ? undefined : wholeText(levels),
      ]}
      proof={
        <span
          className="num flex flex-wrap items-center gap-x-2 text-12 text-dim"
          data-part="book-proof"
          data-state={state}
          title={reason}
        >
          <span
            className={classNames('font-semibold sm:whitespace-nowrap', state === 'live' ? 'text-exact' : 'text-stale')}
          >
            <span aria-hidden>{BOOK_STATE_TEXTS[state].sign} </span>
            {headline}
          </span>
          {height !== undefined && <Fact>block {wholeText(height)}</Fact>}
          <Fact isWarning={gaps > 0}>{counted(gaps, 'gap')}</Fact>
          {verified !== undefined && <Fact>verified {verified} ago</Fact>}
        </span>
      }
    />
  );
}

/** A fact about the proof, after its state. The separators are hidden where facts wrap onto several lines. */
function Fact({ isWarning = false, children }: { readonly isWarning?: boolean; readonly children: ReactNode }) {
  return (
    <span className="flex gap-x-2 whitespace-nowrap">
      <span aria-hidden className="max-sm:hidden">
        ·
      </span>
      <span className={classNames(isWarning && 'text-stale')}>{children}</span>
    </span>
  );
}

interface OtherRowProps {
  readonly coin: string;
  readonly market: CoinMarket | undefined;
  readonly change: ReactNode;
  readonly at: number | undefined;
  readonly state: ReturnType<typeof serviceState>;
}

/** The state of a book that the service holds. Without blocks of any coin it is no more proven there than here. */
function serviceState(book: Readiness['books'][string] | undefined, isOverdue: boolean) {
  return book?.state === 'live' && isOverdue ? 'suspect' : book?.state;
}

/** A book that is not followed now: its last known mid, whether the service holds it, and the price of following it. */
function OtherRow({ coin, market, change, at, state }: OtherRowProps) {
  const live = useLive();
  return (
    <Row
      coin={coin}
      isDim
      cells={[market?.mid === undefined ? undefined : grouped(market.mid), change]}
      proof={
        <span className="flex flex-wrap items-center gap-x-3 py-0.5 text-12 text-dim">
          <span className="whitespace-nowrap">
            {market?.mid !== undefined && at !== undefined ? (
              <>
                <span className="max-[1399px]:sr-only">not followed · </span>mid <Age at={at} />
              </>
            ) : (
              'not followed'
            )}
            {state === undefined ? '' : ` · ${BOOK_STATE_TEXTS[state].word.toLowerCase()} at the service`}
          </span>
          <Button
            look="plain"
            aria-label={`Follow ${coin}`}
            title={`${BOOK_CREDITS} credits at once, then 1 per minute. It takes the place of the followed book.`}
            onClick={() => live.follow(coin)}
          >
            Follow <PriceTag credits={BOOK_CREDITS} short />
          </Button>
        </span>
      }
    />
  );
}
