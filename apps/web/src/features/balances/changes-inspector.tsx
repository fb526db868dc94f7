import { useTime } from '../../hooks/use-time.ts';
import { counted, grouped } from '../../ui/format.ts';
import { Empty } from '../../ui/page/states.tsx';
import { type Change, JOURNAL_MAX, type Journal } from '../../wallets/balances/ledger.ts';
import type { Wallet } from '../../wallets/wallet.ts';
import { plainWallet } from '../../wallets/wallet.ts';
import { WalletName } from '../../wallets/wallet-mark.tsx';

interface ChangesInspectorProps {
  readonly journal: Journal;
  readonly wallets: readonly Wallet[];
}

/** Changes drawn; the export has all that are kept. */
const CHANGES_SHOWN = 200;

/** What differs between one refresh and the next, newest first. */
export function ChangesInspector({ journal: { changes, dropped }, wallets }: ChangesInspectorProps) {
  const known = new Map(wallets.map((wallet) => [wallet.address, wallet]));
  if (changes.length === 0) {
    return (
      <Empty>
        Nothing has changed between two readings of a wallet in this visit. Every refresh is compared with the one
        before it.
      </Empty>
    );
  }
  return (
    <div className="flex flex-col gap-2">
      <p className="text-dim">
        {counted(changes.length, 'change')} in this visit, newest first
        {dropped > 0 && `; ${counted(dropped, 'older one')} beyond the ${JOURNAL_MAX} that are kept`}.
      </p>
      <ol className="flex flex-col">
        {changes.slice(0, CHANGES_SHOWN).map((change) => (
          <ChangeLine key={change.id} change={change} wallet={known.get(change.user) ?? plainWallet(change.user)} />
        ))}
      </ol>
      {changes.length > CHANGES_SHOWN && (
        <p className="text-dim">{counted(changes.length - CHANGES_SHOWN, 'more change')} not drawn.</p>
      )}
    </div>
  );
}

function ChangeLine({ change, wallet }: { readonly change: Change; readonly wallet: Wallet }) {
  const { second, moment } = useTime();
  const { coin, token, field, from, to, since, at } = change;
  return (
    <li className="flex flex-col border-b border-line/60 py-1" data-change={`${change.user} ${token} ${field}`}>
      <span className="flex items-center justify-between gap-2">
        <WalletName wallet={wallet} />
        <span className="num text-11 text-dim" title={`between ${moment(since)} and ${moment(at)}`}>
          {second(at)}
        </span>
      </span>
      <span className="flex flex-wrap justify-between gap-x-2">
        <span>
          {coin ?? `token ${token}`} <span className="text-dim">{field}</span>
        </span>
        <span className="num private text-12">
          {from === undefined ? 'absent' : grouped(from)} <span className="text-dim">→</span>{' '}
          <span className="text-strong">{to === undefined ? 'absent' : grouped(to)}</span>
        </span>
      </span>
    </li>
  );
}
