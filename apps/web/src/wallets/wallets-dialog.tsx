import type { Address } from '@l4desk/protocol';
import { Download, Pencil, Trash2 } from 'lucide-react';
import { useId, useMemo, useRef, useState } from 'react';
import { MARK_MAX } from '../book-worker/watched.ts';
import { type AccountCopyState, useAccountCopy } from '../state/account-copy.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { exportFileName } from '../ui/export/csv.ts';
import { downloadCsv, downloadText } from '../ui/export/download.ts';
import { counted, shortAddress } from '../ui/format.ts';
import { Loading } from '../ui/page/states.tsx';
import { takesFocus } from '../ui/pass-focus.ts';
import { Select } from '../ui/select.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { Tabs } from '../ui/tabs.tsx';
import { TextField } from '../ui/text-field.tsx';
import { Toasts, toast } from '../ui/toast.tsx';
import { walletsCsv, walletsJson } from './export-wallets.ts';
import { ImportWallets } from './import-panel.tsx';
import { useWalletsDialog } from './use-wallets-dialog.ts';
import { isFound, WALLET_COLOURS, type Wallet } from './wallet.ts';
import { useWalletBook } from './wallet-book.ts';
import { WalletMark } from './wallet-mark.tsx';

/** The address book: names and groups of wallets. */
export function WalletsDialog({ onClose }: { readonly onClose: () => void }) {
  const wallets = useWalletBook((book) => book.wallets);
  const isAwaited = useWalletBook((book) => book.awaitsWallets && book.wallets.length === 0);
  const kept = useAccountCopy(({ state }) => state);
  const isKept = kept === 'reading' || kept === 'kept' || kept === 'writing';
  const opened = useWalletsDialog((dialog) => dialog.tab);
  const pasted = useWalletsDialog((dialog) => dialog.pasted);
  const [chosen, setTab] = useState<'list' | 'add'>();
  const tab = chosen ?? opened ?? (wallets.length === 0 && !isAwaited ? 'add' : 'list');
  return (
    <Dialog title="Address book" open onClose={onClose} width="table">
      <div {...takesFocus} className="focus-area flex h-[min(560px,70dvh)] flex-col">
        <Tabs
          name="Address book"
          value={tab}
          options={[
            { value: 'list', text: isAwaited ? 'Wallets …' : counted(wallets.length, 'wallet') },
            { value: 'add', text: 'Add or import' },
          ]}
          onChange={setTab}
        >
          {tab === 'add' ? (
            <ImportWallets
              onDone={() => setTab('list')}
              takesFocus={chosen === undefined}
              pasted={chosen === undefined ? pasted : ''}
            />
          ) : isAwaited ? (
            <div className="flex min-h-0 grow">
              <Loading what="the address book" />
            </div>
          ) : (
            <WalletList wallets={wallets} onRemove={() => setTab('list')} />
          )}
        </Tabs>
      </div>
      <p data-part="kept" className={isKept ? 'text-12 text-dim' : 'text-12 text-stale'}>
        {KEPT_TEXTS[kept]}
      </p>
      <Toasts />
    </Dialog>
  );
}

const KEPT_TEXTS: Readonly<Record<AccountCopyState, string>> = {
  reading: 'Reading what the account keeps …',
  kept: 'Kept on the account, with names of keys and workspaces: every browser that signs in has them.',
  writing: 'Writing to the account …',
  waiting: 'Kept only in this browser until the service takes it; then written to the account.',
  'signed-out': 'Kept only in this browser until you sign in again; then written to the account.',
  refused: 'Kept only in this browser: the account takes up to 256 KiB, with names of keys and workspaces.',
};

const keyOf = ({ address }: Wallet) => address;

const COLUMNS: readonly TableColumn<Wallet>[] = [
  {
    id: 'label',
    title: 'Label',
    width: 150,
    grow: true,
    narrow: true,
    copied: ({ label }) => label,
    cell: (wallet) => (
      <span className="private flex min-w-0 items-center gap-1.5">
        <WalletMark wallet={wallet} />
        <span className="truncate">{wallet.label || '–'}</span>
      </span>
    ),
  },
  { id: 'group', title: 'Group', width: 110, copied: ({ group }) => group, cell: ({ group }) => <Word text={group} /> },
  {
    id: 'tags',
    title: 'Tags',
    width: 110,
    copied: ({ tags }) => tags.join(', '),
    cell: ({ tags }) => <Word text={tags.join(', ')} />,
  },
  {
    id: 'address',
    title: 'Address',
    width: 330,
    least: 114,
    narrow: true,
    copied: ({ address }) => address,
    cell: ({ address }) => (
      <span className="private num text-12" title={address}>
        <span className="max-sm:hidden">{address}</span>
        <span className="sm:hidden">{shortAddress(address)}</span>
      </span>
    ),
  },
];

function Word({ text }: { readonly text: string }) {
  return text === '' ? '–' : <span className="private truncate">{text}</span>;
}

function WalletList({ wallets, onRemove }: { readonly wallets: readonly Wallet[]; readonly onRemove: () => void }) {
  const remove = useWalletBook((book) => book.remove);
  const put = useWalletBook((book) => book.put);
  const list = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<Address>();
  const [query, setQuery] = useState('');
  const rows = useMemo(() => {
    const wanted = query.trim().toLowerCase();
    return wallets.filter((wallet) => isFound(wallet, wanted));
  }, [wallets, query]);
  const wallet = wallets.find(({ address }) => address === chosen);
  const save = (ending: 'csv' | 'json') => {
    const name = exportFileName(['wallets'], new Date(), ending);
    if (ending === 'csv') downloadCsv(name, walletsCsv(rows));
    else downloadText(name, 'application/json', walletsJson(rows));
  };
  return (
    <div className="flex min-h-0 grow flex-col gap-2 pt-2">
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-32 grow basis-0 sm:max-w-64">
          <TextField label="Find" value={query} onChange={setQuery} placeholder="Label, group, tag, 0x…" />
        </div>
        <div className="ml-auto flex gap-2">
          <Button icon={Download} look="plain" disabled={rows.length === 0} onClick={() => save('csv')}>
            CSV
          </Button>
          <Button icon={Download} look="plain" disabled={rows.length === 0} onClick={() => save('json')}>
            JSON
          </Button>
        </div>
      </div>
      <div ref={list} className="flex min-h-0 grow border border-line">
        <DataTable
          name="Wallets of the address book"
          columns={COLUMNS}
          rows={rows}
          keyOf={keyOf}
          selected={chosen}
          onOpen={({ address }) => setChosen(address)}
          empty={
            <p className="m-auto p-4 text-center text-dim">
              {wallets.length === 0
                ? 'No wallets yet. Paste addresses under “Add or import”.'
                : `No wallet matches “${query}”.`}
            </p>
          }
        />
      </div>
      {wallets.length > MARK_MAX && (
        <p className="text-dim">The book marks and watches the first {MARK_MAX} wallets only.</p>
      )}
      {wallet === undefined ? (
        <p className="text-dim">
          <Pencil size={14} aria-hidden className="mr-1 inline" />
          Select a wallet to edit it.
        </p>
      ) : (
        <WalletForm
          key={wallet.address}
          wallet={wallet}
          onChange={(next) => put([next])}
          onRemove={() => {
            list.current?.querySelector<HTMLElement>('[role=grid]')?.focus();
            remove([wallet.address]);
            setChosen(undefined);
            onRemove();
            toast('1 wallet removed', {
              text: 'Undo',
              // The order decides which wallets the book watches, and their letters.
              run: () => put([wallet], wallets.indexOf(wallet)),
            });
          }}
        />
      )}
    </div>
  );
}

interface WalletFormProps {
  readonly wallet: Wallet;
  readonly onChange: (wallet: Wallet) => void;
  readonly onRemove: () => void;
}

/** Stores each field as it is typed. */
function WalletForm({ wallet, onChange, onRemove }: WalletFormProps) {
  const id = useId();
  const [tags, setTags] = useState(wallet.tags.join(', '));
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2 border-t border-line pt-2">
      <div className="flex items-center justify-between gap-2">
        <h3 id={id} className="num private min-w-0 text-12 break-all text-strong max-sm:text-11">
          {wallet.address}
        </h3>
        <IconButton icon={Trash2} name="Remove this wallet" onClick={onRemove} />
      </div>
      <div className="private grid grid-cols-[repeat(auto-fit,minmax(120px,1fr))] items-end gap-2">
        <TextField
          label="Label"
          value={wallet.label}
          onChange={(label) => onChange({ ...wallet, label: label.slice(0, 80) })}
        />
        <TextField
          label="Group"
          value={wallet.group}
          onChange={(group) => onChange({ ...wallet, group: group.slice(0, 40) })}
        />
        <TextField
          label="Tags, comma-separated"
          value={tags}
          onChange={(text) => {
            setTags(text);
            onChange({
              ...wallet,
              tags: text
                .split(',')
                .map((tag) => tag.trim().slice(0, 40))
                .filter((tag) => tag !== ''),
            });
          }}
        />
        <Select
          name="Colour"
          caption="Colour"
          value={wallet.colour}
          options={WALLET_COLOURS.map((value) => ({ value, text: value }))}
          onChange={(colour) => onChange({ ...wallet, colour })}
        />
      </div>
    </section>
  );
}
