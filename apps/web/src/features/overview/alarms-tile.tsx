import { useRouter } from '@tanstack/react-router';
import { useServiceResponse } from '../../api/readiness.ts';
import { useSession } from '../../api/session-context.tsx';
import { useBook } from '../../book-worker/use-book.ts';
import { useUpstreamOverdue } from '../../book-worker/use-upstream-overdue.ts';
import { useNow } from '../../hooks/use-now.ts';
import { usePreferences } from '../../state/preferences.ts';
import { failedOf } from '../../wallets/balances/sums.ts';
import { useWalletBook } from '../../wallets/wallet-book.ts';
import { type Alarm, type AlarmFacts, alarmsOf, monitored } from './alarms.ts';
import { Tile, useWalletLink } from './tile.tsx';
import type { Overview } from './use-overview.ts';

interface AlarmsTileProps {
  readonly overview: Overview;
  readonly className: string;
}

/** What needs attention now, with links. */
export function AlarmsTile({ overview, className }: AlarmsTileProps) {
  const now = useNow();
  const session = useSession();
  const { response, data } = useServiceResponse();
  const status = useBook(({ status }) => status);
  const integrity = useBook(({ integrity }) => integrity);
  const { entries, orders, usage, worth } = overview;
  const facts: AlarmFacts = {
    now,
    session,
    readiness: data,
    response,
    overdue: useUpstreamOverdue(data),
    book: status && { status, integrity },
    month: usage.month,
    creditAlertPercent: usePreferences((state) => state.creditAlertPercent),
    usage: usage.state,
    wallets: {
      w: useWalletLink(),
      all: entries.length,
      failed: failedOf(entries).length,
      current: entries.filter(({ state }) => state.kind === 'ok').length,
      areAwaited: useWalletBook(({ awaitsWallets }) => awaitsWallets),
    },
    liquidation: worth,
    orderCalls: { all: orders.all, failed: orders.failed },
  };
  const alarms = alarmsOf(facts);
  const { known, unknown } = monitored(facts);
  return (
    <Tile title="Alarms" className={className}>
      {alarms.length === 0 ? (
        // What is monitored changes while the page loads.
        <p className="max-pair:min-h-20">
          <span aria-hidden className="text-exact">
            ●{' '}
          </span>
          No problems.{' '}
          <span className="text-dim">
            Monitored: {known.join(', ')}. <Unmonitored unknown={unknown} />
          </span>
        </p>
      ) : (
        <>
          <ul className="flex flex-col gap-1.5" aria-label="Problems">
            {alarms.map((alarm) => (
              <AlarmLine key={alarm.id} alarm={alarm} />
            ))}
          </ul>
          <p className="mt-1.5 text-dim empty:hidden">
            <Unmonitored unknown={unknown} />
          </p>
        </>
      )}
    </Tile>
  );
}

function Unmonitored({ unknown }: { readonly unknown: readonly string[] }) {
  if (unknown.length === 0) return null;
  return <>Not monitored: {unknown.join(', ')}.</>;
}

function AlarmLine({ alarm: { text, detail, href } }: { readonly alarm: Alarm }) {
  const router = useRouter();
  return (
    <li>
      <span aria-hidden className="text-stale">
        ▲{' '}
      </span>
      {href === undefined ? (
        <strong className="text-strong">{text}</strong>
      ) : (
        <a
          href={href}
          className="rounded-4 font-semibold text-strong underline decoration-edge underline-offset-2 hover:decoration-current"
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            void router.navigate({ href });
          }}
        >
          {text}
        </a>
      )}
      <span className="block pl-4 text-12 text-dim">{detail}</span>
    </li>
  );
}
