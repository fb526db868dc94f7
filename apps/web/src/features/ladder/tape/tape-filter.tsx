import { type Address, address } from '@l4desk/protocol';
import { Filter } from 'lucide-react';
import { usePageSearch } from '../../../state/page-search.ts';
import { leastSize } from '../../../state/settings.ts';
import { Button } from '../../../ui/button.tsx';
import { shortAddress } from '../../../ui/format.ts';
import { Popover } from '../../../ui/popover.tsx';
import { Select } from '../../../ui/select.tsx';
import { orNothing, readAmount, TypedField } from '../../../ui/text-field.tsx';
import { searchedText } from '../../../wallets/read-pasted.ts';
import { useWalletBook } from '../../../wallets/wallet-book.ts';
import { ladderSearch } from '../search.ts';

const readAddress = orNothing((text) => address.safeParse(searchedText(text)).data);
const readSize = orNothing((text) => leastSize.safeParse(readAmount(text)).data);

/** Filters the tape by one wallet and by size. The button shows how many of the two are set. */
export function TapeFilter() {
  const { choices, change } = usePageSearch(ladderSearch);
  const { wallet, least } = choices;
  const count = [wallet, least].filter((choice) => choice !== undefined).length;
  return (
    <Popover
      name="Wallet and size"
      trigger={
        <Button icon={Filter} title="Only one wallet's changes, or those from a size on" aria-pressed={count > 0}>
          <span className="sr-only">Wallet and size</span>
          {count > 0 && <span className="num">{count}</span>}
        </Button>
      }
    >
      <div className="flex w-72 flex-col gap-2">
        <WatchedWallets value={wallet} onChange={(next) => change({ wallet: next })} />
        <TypedField
          label="Wallet"
          value={wallet ?? ''}
          read={readAddress}
          error="Enter a whole address: 0x and 40 hex digits."
          onChange={(next) => change({ wallet: next ?? undefined })}
        />
        <TypedField
          label="Size from"
          value={least ?? ''}
          read={readSize}
          error="Enter a size above zero, such as 0.5."
          onChange={(next) => change({ least: next ?? undefined })}
        />
        <Button look="plain" disabled={count === 0} onClick={() => change({ wallet: undefined, least: undefined })}>
          Clear
        </Button>
      </div>
    </Popover>
  );
}

interface WatchedWalletsProps {
  readonly value: Address | undefined;
  readonly onChange: (wallet: Address | undefined) => void;
}

function WatchedWallets({ value, onChange }: WatchedWalletsProps) {
  const wallets = useWalletBook((book) => book.wallets);
  if (wallets.length === 0) return null;
  const watched = wallets.map((wallet) => ({
    value: wallet.address,
    text: wallet.label || shortAddress(wallet.address),
  }));
  const isOther = value !== undefined && wallets.every((wallet) => wallet.address !== value);
  const other = isOther ? [{ value, text: shortAddress(value) }] : [];
  return (
    <Select<Address | ''>
      name="Watched wallet"
      caption="Watched"
      value={value ?? ''}
      options={[{ value: '', text: 'every wallet' }, ...watched, ...other]}
      onChange={(next) => onChange(next === '' ? undefined : next)}
    />
  );
}
