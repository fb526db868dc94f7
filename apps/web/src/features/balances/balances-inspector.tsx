import type { Address } from '@l4desk/protocol';
import { ExportMenu } from '../../ui/export/export-menu.tsx';
import { counted } from '../../ui/format.ts';
import { Inspector } from '../../ui/page/page.tsx';
import { Empty } from '../../ui/page/states.tsx';
import type { Journal } from '../../wallets/balances/balance-store.ts';
import type { Field } from '../../wallets/balances/fields.ts';
import { type Token, type WalletEntry } from '../../wallets/balances/sums.ts';
import { plainWallet } from '../../wallets/wallet.ts';
import { WalletName } from '../../wallets/wallet-mark.tsx';
import { AddendsInspector } from './addends-inspector.tsx';
import { ChangesInspector } from './changes-inspector.tsx';
import { changeExport } from './export.ts';
import { FIELD_TEXTS } from './texts.ts';
import { WalletInspector } from './wallet-inspector.tsx';

interface BalancesInspectorProps {
  /** An address, the id of a token, or `changes`. */
  readonly open: string;
  readonly entries: readonly WalletEntry[];
  readonly scope: readonly WalletEntry[];
  readonly tokens: readonly Token[];
  readonly journal: Journal;
  readonly isBusy: boolean;
  readonly field: Field;
  readonly onField: (field: Field) => void;
  readonly onRead: (users: readonly Address[]) => void;
  readonly onClose: () => void;
}

/** Shows one wallet, the addends of one sum, or the changes. */
export function BalancesInspector(props: BalancesInspectorProps) {
  const { open, entries, scope, tokens, journal, isBusy, field, onField, onRead, onClose } = props;
  if (open === 'changes') {
    const wallets = entries.map(({ wallet }) => wallet);
    return (
      <Inspector key={open} title="Changes between refreshes" onClose={onClose}>
        {journal.changes.length > 0 && (
          <ExportMenu
            name={['balance-changes']}
            says={`${counted(journal.changes.length, 'change')} between refreshes, kept in this browser.`}
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
          <Empty>
            No wallet shown here reports token <span className="num text-12">{open.replace(/^t:?/, '')}</span>.
          </Empty>
        ) : (
          <AddendsInspector entries={scope} token={token} field={field} onField={onField} />
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
        <WalletInspector entry={entry} tokens={tokens} isBusy={isBusy} onRead={() => onRead([entry.wallet.address])} />
      )}
    </Inspector>
  );
}
