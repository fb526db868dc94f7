import { decimalsOf } from '@l4desk/decimal';
import type { Address } from '@l4desk/protocol';
import type { ReactNode } from 'react';
import { counted, grouped, signedText } from '../../ui/format.ts';
import { groupBy } from '../../ui/group-by.ts';
import { Empty } from '../../ui/page/states.tsx';
import { useTime } from '../../ui/use-time.ts';
import { WithNumbers } from '../../ui/with-numbers.tsx';
import { type Change, deltaOf, JOURNAL_MAX, type Journal } from '../../wallets/balances/balance-store.ts';
import type { Wallet } from '../../wallets/wallet.ts';
import { plainWallet } from '../../wallets/wallet.ts';
import { WalletName } from '../../wallets/wallet-mark.tsx';

interface ChangesInspectorProps {
  readonly journal: Journal;
  readonly wallets: readonly Wallet[];
}

/** The most changes drawn; the export has all that are stored. */
const CHANGES_SHOWN = 200;

/** The differences between refreshes, newest first. */
export function ChangesInspector({ journal: { changes, dropped }, wallets }: ChangesInspectorProps) {
  const known = new Map(wallets.map((wallet) => [wallet.address, wallet]));
  if (changes.length === 0) {
    return <Empty>No changes yet. Each refresh is compared with the previous one.</Empty>;
  }
  return (
    <div className="flex flex-col gap-2">
      <p className="text-dim">
        <WithNumbers look="text-12" text={keptText(changes.length, dropped)} />
      </p>
      {roundsOf(changes.slice(0, CHANGES_SHOWN)).map(({ at, wallets: changed }) => (
        <Round key={at} at={at}>
          {changed.map(({ user, changes: own }) => (
            <section key={user} className="border-b border-line/60 py-1">
              <WalletName wallet={known.get(user) ?? plainWallet(user)} />
              <ol className="grid grid-cols-[auto_1fr] gap-x-3">
                {own.map((change) => (
                  <ChangeLine key={change.id} change={change} />
                ))}
              </ol>
            </section>
          ))}
        </Round>
      ))}
      {changes.length > CHANGES_SHOWN && (
        <p className="text-dim">
          <WithNumbers look="text-12" text={`${counted(changes.length - CHANGES_SHOWN, 'more change')} not shown.`} />
        </p>
      )}
    </div>
  );
}

function keptText(count: number, dropped: number): string {
  const older = dropped > 0 ? `; ${counted(dropped, 'older change')} dropped (limit ${JOURNAL_MAX})` : '';
  return `${counted(count, 'change')} kept in this browser, newest first${older}.`;
}

interface RoundOfChanges {
  readonly at: number;
  readonly wallets: readonly { readonly user: Address; readonly changes: readonly Change[] }[];
}

/** Changes grouped by the refresh that found them, newest first, and by wallet within each. */
function roundsOf(changes: readonly Change[]): readonly RoundOfChanges[] {
  return [...groupBy(changes, ({ at }) => at)].map(([at, round]) => ({
    at,
    wallets: [...groupBy(round, ({ user }) => user)].map(([user, own]) => ({ user, changes: own })),
  }));
}

function Round({ at, children }: { readonly at: number; readonly children: ReactNode }) {
  const { moment } = useTime();
  return (
    <section>
      <h3 className="num border-b border-line text-11 text-dim">{moment(at)}</h3>
      {children}
    </section>
  );
}

function ChangeLine({ change }: { readonly change: Change }) {
  const { moment } = useTime();
  const { user, coin, token, field, from, to, since, at } = change;
  const delta = deltaOf(change);
  return (
    <li
      className="col-span-2 grid grid-cols-subgrid items-baseline"
      data-change={`${user} ${token ?? coin} ${field}`}
      title={`between ${moment(since)} and ${moment(at)}`}
    >
      <span>
        {coin ?? `token ${token}`} <span className="text-dim">{field}</span>
      </span>
      <span className="num private text-right text-12 text-strong" data-delta={delta}>
        {delta === undefined ? (from === undefined ? 'new' : 'gone') : signedText(delta, decimalsOf(delta))}
      </span>
      <span className="num private col-span-2 text-right text-11 text-dim">
        {from === undefined ? 'absent' : grouped(from)} → {to === undefined ? 'absent' : grouped(to)}
      </span>
    </li>
  );
}
