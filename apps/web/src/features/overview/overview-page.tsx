import { infoCredits, z } from '@l4desk/protocol';
import { Link } from '@tanstack/react-router';
import { Command, X } from 'lucide-react';
import { useDeferredValue, useMemo } from 'react';
import { PriceRule } from '../../api/price-rule.tsx';
import { useSession } from '../../api/session-context.tsx';
import { useMedia } from '../../hooks/use-media.ts';
import { useNowEvery } from '../../hooks/use-now.ts';
import { accountStore } from '../../state/account.ts';
import { usePageSearch } from '../../state/page-search.ts';
import { useRecentActions } from '../../state/recents.ts';
import { IconButton } from '../../ui/button.tsx';
import { isRefusal } from '../../ui/page/advice.ts';
import { Page, RefreshButton } from '../../ui/page/page.tsx';
import { FailedBand } from '../../ui/page/states.tsx';
import { emptyOf } from '../../wallets/balances/sums.ts';
import { useChosenWallets, walletChoiceOf } from '../../wallets/wallet-choice.ts';
import { WalletPicker } from '../../wallets/wallet-picker.tsx';
import { WalletNotices } from '../../wallets/wallet-roles.tsx';
import { AlarmsTile } from './alarms-tile.tsx';
import { BalancesTile } from './balances-tile.tsx';
import { BooksTile } from './books-tile.tsx';
import { CreditsTile } from './credits-tile.tsx';
import { FundingTile } from './funding-tile.tsx';
import { OrdersTile } from './orders-tile.tsx';
import { overviewSearch } from './search.ts';
import { useOverview } from './use-overview.ts';
import { WalletsTile } from './wallets-tile.tsx';

/** How often the page checks whether readings have become stale, in ms. */
const LOOK_MS = 15_000;

/**
 * The tiles, separated by a hairline: the background shows through the gaps. Open orders have five columns and the longest
 * names, so their tile is the widest of its row.
 */
const TILES =
  'grid grow gap-px bg-line pair:grid-cols-[5fr_6fr] pair:grid-rows-[auto_auto_1fr_auto] xl:grid-cols-[5fr_5fr_6fr_6fr_5fr_5fr] xl:grid-rows-[auto_auto_auto_1fr] min-[2000px]:grid-cols-[6fr_7fr_5fr] min-[2000px]:grid-rows-[auto_auto_1fr]';

/**
 * The overview: books and their proof, balances, orders, funding, credits, and alarms. As a deferred value, it is first rendered in
 * slices that leave the page responsive; the router would render it in one long task.
 */
export function OverviewPage() {
  return useDeferredValue(true, false) && <Tiles />;
}

function Tiles() {
  const { choices, change, invalid, clean } = usePageSearch(overviewSearch);
  const choice = walletChoiceOf(choices, invalid);
  const { wallets, missingGroups } = useChosenWallets(choice);
  const overview = useOverview(wallets, useNowEvery(LOOK_MS));
  const empty = useMemo(() => emptyOf(overview.entries), [overview.entries]);
  const { balances, worth, orders, markets, usage } = overview;
  // The worth includes the rates.
  const rates = worth.value.at === undefined ? infoCredits('metaAndAssetCtxs') : 0;
  const credits = balances.credits + orders.credits + rates;
  const isWide = useMedia('(min-width: 1280px)');
  // The same for every tile, so it is explained once.
  const errors = [overview.store.fault?.error, worth.value.error, orders.error, markets.query.error, usage.query.error];
  const refusal = errors.find(isRefusal);
  const hasReadings = [worth.oldest, orders.shown, markets.shown].some((shown) => shown !== undefined);
  const isBusy = balances.isBusy || orders.onTheWay > 0 || markets.query.isFetching;
  const refresh = () => {
    balances.refresh();
    if (orders.isRequested) orders.refetch();
    else orders.press();
    if (markets.isRequested) void markets.query.refetch({ cancelRefetch: false });
    else markets.press();
    if (usage.mayAsk) void usage.query.refetch();
  };
  return (
    <Page
      title="Overview"
      search={{ invalid, clean }}
      controls={<WalletPicker choice={choice} onChange={(w) => change({ w })} />}
      state={
        <RefreshButton page="Overview" what="the overview" text="Refresh all" {...{ credits, isBusy }} run={refresh} />
      }
      notices={refusal !== undefined && <FailedBand error={refusal} kept={hasReadings} />}
      notes={<WalletNotices {...{ missingGroups, empty, credits, choice }} onChange={(next) => change({ w: next })} />}
      status={
        <>
          <span>As reported, never rounded; the worth in whole cents, exact in the tooltip.</span>
          <PriceRule />
        </>
      }
    >
      <div className="flex min-h-0 grow flex-col scroll-py-2 overflow-y-auto">
        {/* On a phone they are half of the window, so they scroll away. */}
        <FirstSteps coin={overview.coins[0]} />
        <div className={TILES}>
          <AlarmsTile
            overview={overview}
            className="pair:col-span-2 xl:col-start-1 xl:row-start-1 min-[2000px]:col-span-1"
          />
          <BalancesTile
            overview={overview}
            className="xl:col-span-2 xl:row-span-3 min-[2000px]:col-span-1 min-[2000px]:row-span-2"
          />
          {isWide && (
            <WalletsTile
              overview={overview}
              className="xl:col-span-2 xl:col-start-5 xl:row-start-4 min-[2000px]:col-span-1 min-[2000px]:col-start-3 min-[2000px]:row-start-3"
            />
          )}
          <BooksTile
            coins={overview.coins}
            markets={markets}
            className="pair:col-span-2 pair:row-start-2 xl:col-span-4 xl:col-start-3 xl:row-start-1 min-[2000px]:col-span-1 min-[2000px]:col-start-2"
          />
          <OrdersTile
            orders={orders}
            wallets={wallets.length}
            className="xl:col-span-2 xl:row-span-3 min-[2000px]:col-span-1 min-[2000px]:row-span-2"
          />
          <CreditsTile
            usage={usage}
            className="xl:col-span-2 min-[2000px]:col-span-1 min-[2000px]:col-start-3 min-[2000px]:row-start-1"
          />
          <FundingTile markets={markets} className="xl:col-span-2 min-[2000px]:col-span-1" />
        </div>
      </div>
    </Page>
  );
}

interface FirstSteps {
  readonly isDone: boolean;
  readonly finish: () => void;
}

const kept = z.object({ isDone: z.boolean() });

const useFirstSteps = accountStore<FirstSteps>(
  'l4desk.first-steps',
  (stored) => ({ isDone: kept.safeParse(stored).data?.isDone ?? false }),
  (set) => ({ isDone: false, finish: () => set({ isDone: true }) }),
);

const PALETTE_KEY = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K';

const LINK = 'rounded-4 text-accent underline underline-offset-2';

/**
 * Where to begin, until an account dismisses it or has used the palette, the last step; it never comes back. A demo says that its
 * wallets and credits are examples.
 */
function FirstSteps({ coin }: { readonly coin: string | undefined }) {
  const { demo } = useSession();
  const { isDone, finish } = useFirstSteps();
  const hasUsedPalette = useRecentActions(({ items }) => items.length > 0);
  if (isDone || hasUsedPalette) return null;
  return (
    <aside
      aria-label="First steps"
      className="flex items-start gap-3 border-b border-line bg-surface-1 px-3 py-1.5 text-dim"
    >
      <div className="flex min-w-0 grow flex-wrap gap-x-6 gap-y-1">
        {demo && (
          <p className="basis-full text-text">
            This is a demo: the wallets, their orders and the credits are examples.
          </p>
        )}
        <p>
          1{' '}
          {coin === undefined ? (
            'Open a ladder'
          ) : (
            <Link to="/book/$coin" params={{ coin }} className={LINK}>
              Open the {coin} ladder
            </Link>
          )}
          : every price of the book, proven exact.
        </p>
        <p>2 Press a segment in its queue column: one order, its owner and its place.</p>
        <p>
          3 <kbd className="num text-12 text-text pointer-coarse:hidden">{PALETTE_KEY}</kbd>
          <span className="text-text not-pointer-coarse:hidden">
            <Command size={14} strokeWidth={1.75} className="inline" aria-hidden />
            <span className="sr-only">The command palette</span> above
          </span>{' '}
          finds every page, coin and action.
        </p>
      </div>
      <IconButton icon={X} name="Dismiss the first steps" onClick={finish} />
    </aside>
  );
}
