import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isAlertReached } from '../api/account-usage/credit-alert.ts';
import { useSession } from '../api/session-context.tsx';
import { usageQuery } from '../api/usage.ts';
import { creditsPerDay, onPaid, useBurnRate, useSpentLately } from '../state/burn.ts';
import { usePreferences } from '../state/preferences.ts';
import { counted, wholeText } from '../ui/format.ts';
import { shareText } from '../ui/share-text.ts';
import { Menu } from './menu.tsx';

/** How often the share of the plan is refreshed while the page is visible. Reading it is free. */
const SHARE_EVERY_MS = 300_000;

/** Delay from a successful call to the refresh; calls that succeed meanwhile share it. */
const SHARE_AFTER_MS = 2_000;

/**
 * What this page spends now, by itself and with the calls of the last minute, and the used share of the plan if the session may
 * read it.
 */
export function CreditMeter() {
  const { credentials } = useSession();
  const burners = useBurnRate();
  const mayAsk = credentials.service !== null;
  const usage = useQuery({ ...usageQuery({ duration: 1 }), enabled: mayAsk, refetchInterval: SHARE_EVERY_MS });
  useShareAfterCalls(mayAsk);
  const lately = useSpentLately();
  const lasting = burners.reduce((total, { creditsPerMinute }) => total + creditsPerMinute, 0);
  const spending = burners.map(({ text, creditsPerMinute }) => [text, `${rateText(creditsPerMinute)} / min`]);
  if (lately > 0) spending.push(['Calls in the last minute', wholeText(lately)]);
  // An earlier session of the same account, with its ServiceKey, may have loaded it.
  const aggregate = mayAsk ? usage.data?.aggregate : undefined;
  const share = aggregate === undefined ? undefined : shareText(aggregate.credits_consumed, aggregate.max_credits);
  const alertPercent = usePreferences((state) => state.creditAlertPercent);
  const isAlert =
    aggregate !== undefined && isAlertReached(aggregate.credits_consumed, aggregate.max_credits, alertPercent);
  return (
    <Menu
      name="Credits"
      renderButton={(props) => (
        <button
          type="button"
          aria-label={`Credits: ${rateText(lasting)} a minute${lately === 0 ? '' : ` and ${wholeText(lately)} in the last minute`}${share === undefined ? '' : `, ${share} of plan`}${isAlert ? `, past your alert at ${alertPercent} %` : ''}`}
          title="Credits per minute that this window spends on what it follows, and those of calls in the last minute"
          className="num flex h-(--control) items-center gap-[1ch] rounded-4 px-2 text-12 whitespace-nowrap text-dim hover:bg-surface-2 hover:text-text aria-expanded:bg-surface-2"
          {...props}
        >
          {/* A phone has room for one of them, in the line of the header. */}
          <span className={isAlert ? 'max-sm:hidden' : undefined}>{rateText(lasting)} cr/min</span>
          {lately > 0 && <span className="max-sm:hidden">+ {wholeText(lately)} cr</span>}
          {share !== undefined && (
            <span className={isAlert ? 'text-stale' : '@max-row:hidden'}>
              {isAlert ? '▲ ' : ' · '}
              {share} of plan
            </span>
          )}
        </button>
      )}
    >
      {(close) => (
        <div className="flex w-72 max-w-full flex-col gap-3">
          <section>
            <h2 className="text-12 font-medium text-dim">Current spending of this window</h2>
            {spending.length === 0 ? (
              <p>None. Each button shows its price; calls count here for a minute.</p>
            ) : (
              <dl className="grid grid-cols-[1fr_auto] gap-x-4">
                {spending.map(([text, amount]) => (
                  <div key={text} className="col-span-2 grid grid-cols-subgrid items-baseline">
                    <dt>{text}</dt>
                    <dd className="num text-right text-12">{amount}</dd>
                  </div>
                ))}
              </dl>
            )}
            {lasting > 0 && (
              <p className="mt-1 text-dim">
                {counted(creditsPerDay(lasting), 'credit')} a day at this rate{lately > 0 && ', excluding those calls'};
                none while the page is closed.
              </p>
            )}
          </section>
          <section>
            <h2 className="text-12 font-medium text-dim">
              {aggregate === undefined ? 'This month’s plan' : `Plan ${aggregate.plan}, this month`} (UTC)
            </h2>
            {aggregate !== undefined && (
              <p>
                <span className="num text-12">{wholeText(aggregate.credits_consumed)}</span> of{' '}
                <span className="num text-12">{wholeText(aggregate.max_credits)}</span> credits
                {share !== undefined && ` · ${share}`}
                {isAlert && <span className="text-stale">, past your alert at {alertPercent} %</span>}
              </p>
            )}
            {!mayAsk && <p>Also sign in with a ServiceKey to see how much of the plan is used.</p>}
            {usage.isError && <p className="text-stale">Usage failed to load: {usage.error.message}.</p>}
            <p className="mt-1">
              <Link to="/usage" onClick={close} className="rounded-4 text-accent underline underline-offset-2">
                {mayAsk ? 'Usage by day and key' : 'How to get a ServiceKey'}
              </Link>
            </p>
          </section>
        </div>
      )}
    </Menu>
  );
}

function rateText(rate: number): string {
  if (rate === 0) return '0';
  return rate < 10 && !Number.isInteger(rate) ? rate.toFixed(1) : wholeText(Math.round(rate));
}

function useShareAfterCalls(mayAsk: boolean): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!mayAsk) return;
    let due: ReturnType<typeof setTimeout> | undefined;
    const end = onPaid(() => {
      due ??= setTimeout(() => {
        due = undefined;
        void queryClient.invalidateQueries({ queryKey: usageQuery({ duration: 1 }).queryKey });
        void queryClient.invalidateQueries({ queryKey: ['usage', 'by kind'] });
      }, SHARE_AFTER_MS);
    });
    return () => {
      end();
      clearTimeout(due);
    };
  }, [mayAsk, queryClient]);
}
