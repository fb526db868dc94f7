/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus --
   a combobox with a listbox: the input keeps the focus and has the keys, as the pattern says */
import { isAddress } from '@l4desk/protocol';
import { Check, ChevronDown, Wallet as WalletIcon } from 'lucide-react';
import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { counted, shortAddress } from '../ui/format.ts';
import { Popover } from '../ui/popover.tsx';
import { useWalletsDialog } from './use-wallets-dialog.ts';
import { plainWallet, type Wallet } from './wallet.ts';
import { groupsOf, useWalletBook } from './wallet-book.ts';
import { chosenWallets, type WalletChoice } from './wallet-choice.ts';
import { WalletMark, WalletName } from './wallet-mark.tsx';

interface WalletPickerProps {
  /** Undefined is the whole address book, or none where one is wanted. */
  readonly choice: WalletChoice | undefined;
  readonly onChange: (choice: WalletChoice | undefined) => void;
  /** `one` takes a single wallet, `many` any number, and groups. */
  readonly takes: 'one' | 'many';
}

/** Which wallets a page shows: from the address book, whole groups of it, or any address typed in. */
export function WalletPicker({ choice, onChange, takes }: WalletPickerProps) {
  const [open, setOpen] = useState(false);
  const book = useWalletBook(({ wallets }) => wallets);
  const isAwaited = useWalletBook(({ awaitsExamples }) => awaitsExamples);
  const { wallets } = chosenWallets(book, choice);
  const [first] = wallets;
  const isAll = takes === 'many' && choice === undefined;
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
          {isAll ? (
            isAwaited && wallets.length === 0 ? (
              'All wallets …'
            ) : (
              `All ${counted(wallets.length, 'wallet')}`
            )
          ) : takes === 'one' || wallets.length === 1 ? (
            first === undefined || choice === undefined ? (
              'Choose a wallet'
            ) : (
              <WalletName wallet={first} />
            )
          ) : (
            counted(wallets.length, 'wallet')
          )}
          <ChevronDown size={16} strokeWidth={1.75} className="shrink-0 text-dim" aria-hidden />
        </button>
      }
    >
      <PickerList
        book={book}
        choice={choice}
        takes={takes}
        onChange={(next) => {
          onChange(next);
          if (takes === 'one') setOpen(false);
        }}
        onManage={() => setOpen(false)}
      />
    </Popover>
  );
}

interface Option {
  /** An address, `g:<name>`, or `all`. */
  readonly item: string;
  readonly wallet: Wallet | undefined;
  readonly text: string;
  readonly hint: string;
}

interface PickerListProps extends WalletPickerProps {
  readonly book: readonly Wallet[];
  readonly onManage: () => void;
}

/** Options drawn at once; typing narrows them. */
const SHOWN_MAX = 200;

function PickerList({ book, choice, takes, onChange, onManage }: PickerListProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const openBook = useWalletsDialog((state) => state.open);
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const options = useMemo(() => optionsOf(book, query, takes), [book, query, takes]);
  const at = Math.min(active, options.length - 1);
  const chosen = new Set(choice);

  const press = ({ item }: Option) => {
    if (item === 'all') return onChange(undefined);
    if (takes === 'one') return onChange([item]);
    const next = chosen.has(item) ? [...chosen].filter((other) => other !== item) : [...chosen, item];
    onChange(next.length === 0 ? undefined : next);
  };
  const move = (by: number) => {
    const next = Math.max(0, Math.min(options.length - 1, at + by));
    setActive(next);
    list.current?.querySelector(`[data-at="${next}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const option = options[at];
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'PageDown') move(10);
    else if (event.key === 'PageUp') move(-10);
    else if (event.key === 'Enter' && option !== undefined) press(option);
    else return;
    event.preventDefault();
  };

  return (
    <div className="flex w-80 max-w-full flex-col gap-2">
      <input
        role="combobox"
        aria-label="Search wallets, or type an address"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={options.length === 0 ? undefined : `${id}-${at}`}
        autoComplete="off"
        spellCheck={false}
        placeholder="Label, group, tag or 0x…"
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
        className="h-8 w-full rounded-4 border border-edge bg-surface-0 px-2 text-13 text-text placeholder:text-dim"
      />
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label="Wallets"
        aria-multiselectable={takes === 'many'}
        className="max-h-80 overflow-y-auto"
      >
        {options.map((option, index) => {
          const isChosen = option.item === 'all' ? choice === undefined : chosen.has(option.item);
          return (
            <div
              key={option.item}
              id={`${id}-${index}`}
              data-at={index}
              data-item={option.item}
              role="option"
              aria-selected={isChosen}
              onClick={() => press(option)}
              onPointerMove={() => setActive(index)}
              className={`flex h-(--control) cursor-pointer items-center gap-2 rounded-4 px-2 ${index === at ? 'bg-surface-3 text-strong' : ''}`}
            >
              <Check size={14} aria-hidden className={isChosen ? 'shrink-0' : 'invisible shrink-0'} />
              {option.wallet && <WalletMark wallet={option.wallet} />}
              <span className="private truncate">{option.text}</span>
              <span className="num ml-auto shrink-0 pl-2 text-11 text-dim">{option.hint}</span>
            </div>
          );
        })}
      </div>
      {options.length === 0 && (
        <p className="text-dim">No matches. You can also enter a full address: 0x and 40 hexadecimal digits.</p>
      )}
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

function optionsOf(book: readonly Wallet[], query: string, takes: 'one' | 'many'): readonly Option[] {
  const wanted = query.trim().toLowerCase();
  const options: Option[] = [];
  if (takes === 'many' && wanted === '') {
    options.push({ item: 'all', wallet: undefined, text: 'The whole address book', hint: String(book.length) });
  }
  if (isAddress(wanted) && !book.some(({ address }) => address === wanted)) {
    options.push({ item: wanted, wallet: plainWallet(wanted), text: shortAddress(wanted), hint: 'new address' });
  }
  if (takes === 'many') {
    for (const [group, members] of groupsOf(book)) {
      if (!group.toLowerCase().includes(wanted)) continue;
      const hint = counted(members.length, 'wallet');
      options.push({ item: `g:${group}`, wallet: undefined, text: `Group ${group}`, hint });
    }
  }
  for (const wallet of book) {
    const { address, label, group, tags } = wallet;
    if (![address, label, group, ...tags].some((text) => text.toLowerCase().includes(wanted))) continue;
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
