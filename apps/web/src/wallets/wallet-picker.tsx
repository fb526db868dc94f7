import { readAddress, visibleText } from '@l4desk/protocol';
import { Check, ChevronDown, Wallet as WalletIcon } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { counted, shortAddress } from '../ui/format.ts';
import { Popover } from '../ui/popover.tsx';
import { useListbox } from '../ui/use-listbox.ts';
import { addressesIn, searchedText } from './read-pasted.ts';
import { useWalletsDialog } from './use-wallets-dialog.ts';
import { isFound, plainWallet, type Wallet } from './wallet.ts';
import { groupsOf, useWalletBook } from './wallet-book.ts';
import { chosenWallets, type WalletChoice } from './wallet-choice.ts';
import { WalletMark, WalletName } from './wallet-mark.tsx';

interface WalletPickerProps {
  /** Undefined means the whole address book. */
  readonly choice: WalletChoice | undefined;
  readonly onChange: (choice: WalletChoice | undefined) => void;
}

/** Selects the wallets that a page shows: entries of the address book, whole groups of it, or any typed address. */
export function WalletPicker({ choice, onChange }: WalletPickerProps) {
  const [open, setOpen] = useState(false);
  const book = useWalletBook(({ wallets }) => wallets);
  const isAwaited = useWalletBook(({ awaitsWallets }) => awaitsWallets);
  const { wallets } = chosenWallets(book, choice);
  const [first] = wallets;
  return (
    <Popover
      name="Wallets"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <button
          type="button"
          className="flex h-(--control) max-w-60 min-w-0 items-center gap-1.5 rounded-4 px-2 text-text hover:bg-surface-2 aria-expanded:bg-surface-2"
        >
          <span className="sr-only">Wallets: </span>
          {choice === undefined ? (
            isAwaited && wallets.length === 0 ? (
              'All wallets …'
            ) : (
              `All ${counted(wallets.length, 'wallet')}`
            )
          ) : wallets.length === 1 && first !== undefined ? (
            <WalletName wallet={first} />
          ) : (
            counted(wallets.length, 'wallet')
          )}
          <ChevronDown size={16} strokeWidth={1.75} className="shrink-0 text-dim" aria-hidden />
        </button>
      }
    >
      <PickerList book={book} choice={choice} onChange={onChange} onManage={() => setOpen(false)} />
    </Popover>
  );
}

interface Option {
  /** An address, `g:<name>`, `pasted`, or `all`. */
  readonly item: string;
  /** What it chooses, if not only itself. */
  readonly items?: readonly string[];
  readonly wallet: Wallet | undefined;
  readonly text: string;
  readonly hint: string;
}

interface PickerListProps extends WalletPickerProps {
  readonly book: readonly Wallet[];
  readonly onManage: () => void;
}

/** The most options drawn at once; typing narrows them. */
const SHOWN_MAX = 200;

/** The most wallets that a pasted list may choose: each takes 45 characters of the page's link, and servers refuse long ones. */
const LINKED_MAX = 150;

function PickerList({ book, choice, onChange, onManage }: PickerListProps) {
  const openBook = useWalletsDialog((state) => state.open);
  const openImport = useWalletsDialog((state) => state.openImport);
  const [query, setQuery] = useState('');
  const options = useMemo(() => optionsOf(book, query), [book, query]);
  const chosen = new Set(choice);
  const isIn = ({ item, items = [item] }: Option) => items.every((one) => chosen.has(one));
  const isTooLong = ({ items }: Option) => items !== undefined && new Set([...chosen, ...items]).size > LINKED_MAX;
  const onPress = (option: Option) => {
    const { item, items = [item] } = option;
    if (item === 'all') return onChange(undefined);
    if (isTooLong(option)) {
      onManage();
      return openImport(items.map((address) => `${address},,pasted`).join('\n'));
    }
    const others = [...chosen].filter((one) => !items.includes(one));
    const next = isIn(option) ? others : [...others, ...items];
    onChange(next.length === 0 ? undefined : next);
  };
  const listbox = useListbox({ options, keyOf, onPress });

  return (
    <div className="flex w-80 max-w-full flex-col gap-2">
      <input
        {...listbox.input}
        aria-label="Search wallets, or type an address"
        placeholder="Label, group, tag or 0x…"
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          listbox.reset();
        }}
        className="h-8 w-full rounded-4 border border-edge bg-surface-0 px-2 text-13 text-text placeholder:text-dim"
      />
      <div {...listbox.list} aria-label="Wallets" aria-multiselectable className="max-h-80 overflow-y-auto">
        {options.map((option, index) => {
          const isChosen = option.item === 'all' ? choice === undefined : isIn(option);
          return (
            <div
              key={option.item}
              {...listbox.option(index)}
              data-item={option.item}
              aria-selected={isChosen}
              className={`flex h-(--control) cursor-pointer items-center gap-2 rounded-4 px-2 ${index === listbox.at ? 'bg-surface-3 text-strong' : ''}`}
            >
              <Check size={14} aria-hidden className={isChosen ? 'shrink-0' : 'invisible shrink-0'} />
              {option.wallet && <WalletMark wallet={option.wallet} />}
              <span className="private truncate">
                {isTooLong(option) ? `Import ${option.text} as a group` : option.text}
              </span>
              <span className={classNames('num ml-auto shrink-0 pl-2 text-11 text-dim', option.wallet && 'private')}>
                {option.hint}
              </span>
            </div>
          );
        })}
      </div>
      {options.some(isTooLong) && (
        <p className="text-dim">
          More than {LINKED_MAX} wallets do not fit into the link of a page. Import them as a group, then choose the
          group.
        </p>
      )}
      {options.length === 0 && <p className="text-dim">{noMatchText(query)}</p>}
      <Button
        look="plain"
        icon={WalletIcon}
        onClick={() => {
          onManage();
          openBook();
        }}
      >
        Address book
      </Button>
    </div>
  );
}

const keyOf = ({ item }: Option) => item;

function noMatchText(query: string): string {
  const typed = readAddress(query);
  return typed.kind === 'invalid' && /^0x/i.test(visibleText(query))
    ? `No matches, and not an address: it ${typed.problem}.`
    : 'No matches. You can also enter a full address: 0x and 40 hexadecimal digits.';
}

function optionsOf(book: readonly Wallet[], query: string): readonly Option[] {
  const wanted = searchedText(query);
  const options: Option[] = [];
  if (wanted === '') {
    options.push({ item: 'all', wallet: undefined, text: 'The whole address book', hint: String(book.length) });
  }
  const pasted = addressesIn(query);
  if (pasted.length > 1) {
    options.push({
      item: 'pasted',
      items: pasted,
      wallet: undefined,
      text: `${pasted.length} pasted wallets`,
      hint: '',
    });
  }
  const typed = readAddress(wanted);
  if (typed.kind === 'address' && !book.some(({ address }) => address === typed.address)) {
    const { address } = typed;
    options.push({ item: address, wallet: plainWallet(address), text: shortAddress(address), hint: 'new address' });
  }
  for (const [group, members] of groupsOf(book)) {
    if (!group.toLowerCase().includes(wanted)) continue;
    const hint = counted(members.length, 'wallet');
    options.push({ item: `g:${group}`, wallet: undefined, text: `Group ${group}`, hint });
  }
  for (const wallet of book) {
    const { address, label } = wallet;
    if (!isFound(wallet, wanted)) continue;
    if (options.length === SHOWN_MAX) break;
    options.push({
      item: address,
      wallet,
      text: label || shortAddress(address),
      hint: label === '' ? '' : shortAddress(address),
    });
  }
  return options;
}
