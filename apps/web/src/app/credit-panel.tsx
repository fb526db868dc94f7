import { Link } from '@tanstack/react-router';
import { creditsPerDay } from '../state/burn.ts';
import { AnchoredPopover } from '../ui/anchored-popover.tsx';
import { counted, wholeText } from '../ui/format.ts';
import type { MenuPanel } from './menu.tsx';
import { rateText, useSpendingNow } from './use-spending-now.ts';

/** What the credit meter sums: what this window spends, and the plan of the month. */
export function CreditPanel(panel: MenuPanel) {
  const { burners, lasting, lately, usage, aggregate, share, alertPercent, isAlert, mayAsk } = useSpendingNow();
  const spending = burners.map(({ text, creditsPerMinute }) => [text, `${rateText(creditsPerMinute)} / min`]);
  if (lately > 0) spending.push(['Calls in the last minute', wholeText(lately)]);
  return (
    <AnchoredPopover {...panel}>
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
              {wholeText(aggregate.credits_consumed)} of {wholeText(aggregate.max_credits)} credits
              {share !== undefined && ` · ${share}`}
              {isAlert && <span className="text-stale">, past your alert at {alertPercent} %</span>}
            </p>
          )}
          {!mayAsk && <p>Also sign in with a ServiceKey to see how much of the plan is used.</p>}
          {usage.isError && <p className="text-stale">Usage failed to load: {usage.error.message}.</p>}
          <p className="mt-1">
            <Link to="/usage" onClick={panel.onClose} className="rounded-4 text-accent underline underline-offset-2">
              {mayAsk ? 'Usage by day and key' : 'How to get a ServiceKey'}
            </Link>
          </p>
        </section>
      </div>
    </AnchoredPopover>
  );
}
