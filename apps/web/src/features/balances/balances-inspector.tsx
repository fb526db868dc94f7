import { decimalsOf } from '@l4desk/decimal';
import type { Address } from '@l4desk/protocol';
import { type ReactNode, useMemo } from 'react';
import { usePageSearch } from '../../state/page-search.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ExportMenu } from '../../ui/export/export-menu.tsx';
import { aligned, columnDecimals, counted, grouped, signedText } from '../../ui/format.ts';
import { groupBy } from '../../ui/group-by.ts';
import { Inspector } from '../../ui/page/page.tsx';
import { Empty } from '../../ui/page/states.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { useTime } from '../../ui/use-time.ts';
import { type Change, deltaOf, JOURNAL_MAX, type Journal } from '../../wallets/balances/balance-store.ts';
import { FIELDS, type Field } from '../../wallets/balances/fields.ts';
import { SumAmount } from '../../wallets/balances/sum-amount.tsx';
import { sumOf, sumSign, sumText, type Token, type WalletEntry } from '../../wallets/balances/sums.ts';
import { useBalances } from '../../wallets/balances/use-balances.ts';
import { plainWallet, type Wallet } from '../../wallets/wallet.ts';
import { WalletName } from '../../wallets/wallet-mark.tsx';
import { Amount, absenceOf, FIELD_HINTS, FIELD_TEXTS, ValuesAge } from './cells.tsx';
import { changeExport } from './list-rows.tsx';
import { addendsOf } from './pivot.ts';
import { balancesSearch, fieldText } from './search.ts';
import { WalletInspector } from './wallet-inspector.tsx';

interface BalancesInspectorProps {
  readonly entries: readonly WalletEntry[];
  readonly scope: readonly WalletEntry[];
  readonly tokens: readonly Token[];
  readonly onRead: (users: readonly Address[]) => void;
}

/** Shows one wallet, the addends of one sum, or the changes. */
export function BalancesInspector({ entries, scope, tokens, onRead }: BalancesInspectorProps) {
  const { choices, change } = usePageSearch(balancesSearch);
  const { open, field = 'total' } = choices;
  const { journal, progress } = useBalances();
  const onClose = () => change({ open: undefined });
  if (open === undefined) return null;
  if (open === 'changes') {
    const wallets = entries.map(({ wallet }) => wallet);
    return (
      <Inspector key={open} title="Changes between refreshes" onClose={onClose}>
        {journal.changes.length > 0 && (
          <ExportMenu
            name={['balance-changes']}
            description={`${counted(journal.changes.length, 'change')} between refreshes, kept in this browser.`}
            columns={changeExport(wallets)}
            rows={() => journal.changes}
          />
        )}
        <ChangesInspector journal={journal} wallets={wallets} />
      </Inspector>
    );
  }
  if (open.startsWith('t')) {
    const token = tokens.find(({ id }) => id === open);
    return (
      <Inspector
        key={open}
        title={token === undefined ? 'Addends' : `${token.name} · ${FIELD_TEXTS[field]}`}
        onClose={onClose}
      >
        {token === undefined ? (
          <Empty>No wallet shown here reports token {open.replace(/^t:?/, '')}.</Empty>
        ) : (
          <AddendsInspector entries={scope} token={token} field={field} />
        )}
      </Inspector>
    );
  }
  const entry = entries.find(({ wallet }) => wallet.address === open);
  return (
    <Inspector
      key={open}
      title={<WalletName wallet={entry?.wallet ?? plainWallet(open as Address)} />}
      onClose={onClose}
    >
      {entry === undefined ? (
        <Empty>This wallet is not selected.</Empty>
      ) : (
        <WalletInspector
          entry={entry}
          tokens={tokens}
          isBusy={progress !== undefined}
          onRead={() => onRead([entry.wallet.address])}
        />
      )}
    </Inspector>
  );
}

interface ChangesInspectorProps {
  readonly journal: Journal;
  readonly wallets: readonly Wallet[];
}

/** The most changes drawn; the export has all that are stored. */
const CHANGES_SHOWN = 200;

/** The changes by the refresh that found them, newest first, and by wallet within each. */
function ChangesInspector({ journal: { changes, dropped }, wallets }: ChangesInspectorProps) {
  const { moment } = useTime();
  const known = new Map(wallets.map((wallet) => [wallet.address, wallet]));
  if (changes.length === 0) {
    return <Empty>No changes yet. Each refresh is compared with the previous one.</Empty>;
  }
  return (
    <div className="flex flex-col gap-2">
      <p className="text-dim">{keptText(changes.length, dropped)}</p>
      {[...groupBy(changes.slice(0, CHANGES_SHOWN), ({ at }) => at)].map(([at, found]) => (
        <section key={at}>
          <h3 className="num border-b border-line text-11 text-dim">{moment(at)}</h3>
          {[...groupBy(found, ({ user }) => user)].map(([user, own]) => (
            <section key={user} className="border-b border-line/60 py-1">
              <WalletName wallet={known.get(user) ?? plainWallet(user)} />
              <ol className="grid grid-cols-[auto_1fr] gap-x-3">
                {own.map((change) => (
                  <ChangeLine key={change.id} change={change} />
                ))}
              </ol>
            </section>
          ))}
        </section>
      ))}
      {changes.length > CHANGES_SHOWN && (
        <p className="text-dim">{counted(changes.length - CHANGES_SHOWN, 'more change')} not shown.</p>
      )}
    </div>
  );
}

function keptText(count: number, dropped: number): string {
  const older = dropped > 0 ? `; ${counted(dropped, 'older change')} dropped (limit ${JOURNAL_MAX})` : '';
  return `${counted(count, 'change')} kept in this browser, newest first${older}.`;
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

interface AddendsInspectorProps {
  readonly entries: readonly WalletEntry[];
  readonly token: Token;
  readonly field: Field;
}

/** The most lines drawn per list; the copied text has all of them. */
const LINES_SHOWN = 200;

function AddendsInspector({ entries, token, field }: AddendsInspectorProps) {
  const { change } = usePageSearch(balancesSearch);
  const sum = useMemo(() => sumOf(entries, token, field), [entries, token, field]);
  const addends = useMemo(() => addendsOf(entries, token, field), [entries, token, field]);
  const { parts, silent, missing } = addends;
  const decimals = useMemo(
    () =>
      columnDecimals([
        ...parts.map(({ value }) => value),
        ...missing.flatMap(({ value }) => value ?? []),
        sum.value ?? '0',
      ]),
    [parts, missing, sum],
  );
  const text = () =>
    [
      ...parts.map(({ entry, value }) => `${value}\t${entry.wallet.address}\t${entry.wallet.label}`),
      `${sumSign(sum)}${sum.value ?? 'none'}\t${token.name} ${field}, ${sumText(sum)}`,
    ].join('\n');
  return (
    <div className="flex flex-col gap-3">
      <Segmented
        name="Field of the sum"
        value={field}
        options={FIELDS.map((value) => ({ value, text: FIELD_TEXTS[value], hint: FIELD_HINTS[value] }))}
        onChange={(next) => change({ field: fieldText(next) })}
      />
      <p className="flex flex-col border-b border-edge pb-1" data-part="sum">
        <span>Sum of {sumText(sum)}</span>
        <span className="num text-right text-15 whitespace-nowrap text-strong">
          <SumAmount sum={sum} decimals={0} />
        </span>
      </p>
      {missing.length > 0 && (
        <Lines
          title={`Not included: ${counted(missing.length, 'wallet')} that failed or have not been loaded`}
          count={missing.length}
        >
          {missing.slice(0, LINES_SHOWN).map(({ entry, value }) => (
            <li key={entry.wallet.address} className="flex items-center justify-between gap-2 text-dim">
              <span className="flex min-w-0 items-center gap-1" title={entry.state.text}>
                <span className="text-stale">{entry.state.kind === 'never' ? '–' : '!'}</span>
                <WalletName wallet={entry.wallet} />
                {entry.reading && (
                  <span className="whitespace-nowrap text-dim">
                    <ValuesAge at={entry.reading.at} />
                  </span>
                )}
              </span>
              <span className="num text-12 whitespace-nowrap">
                <Amount value={value} decimals={decimals} absence={absenceOf(entry, token.name, field)} />
              </span>
            </li>
          ))}
        </Lines>
      )}
      <Lines title={`${counted(parts.length, 'addend')}, largest first`} count={parts.length}>
        {parts.slice(0, LINES_SHOWN).map(({ entry, value }) => (
          <li key={entry.wallet.address} className="flex items-center justify-between gap-2" data-addend={value}>
            <WalletName wallet={entry.wallet} />
            <span className="num private text-12 whitespace-nowrap">{aligned(value, decimals)}</span>
          </li>
        ))}
      </Lines>
      {silent.length > 0 && (
        <p className="text-dim">
          {counted(silent.length, 'wallet')} with {token.name} {silent.length === 1 ? 'does' : 'do'} not report this
          field. Absent does not mean zero.
        </p>
      )}
      <div>
        <CopyButton what="addends" text={text} wide />
      </div>
    </div>
  );
}

interface LinesProps {
  readonly title: string;
  readonly count: number;
  readonly children: ReactNode;
}

function Lines({ title, count, children }: LinesProps) {
  return (
    <section>
      <h3 className="text-12 font-medium text-dim">{title}</h3>
      <ul>{children}</ul>
      {count > LINES_SHOWN && (
        <p className="text-dim">{counted(count - LINES_SHOWN, 'more line')} in the copied text.</p>
      )}
    </section>
  );
}
