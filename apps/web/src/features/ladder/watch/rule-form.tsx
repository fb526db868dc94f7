import type { Address } from '@l4desk/protocol';
import { Plus } from 'lucide-react';
import { type FormEvent, useId, useMemo, useRef, useState } from 'react';
import { useLive } from '../../../book-worker/use-book.ts';
import { hasRule, type KeptRule, readRule, useWatchRules } from '../../../state/watch-rules.ts';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { shortAddress } from '../../../ui/format.ts';
import { Select } from '../../../ui/select.tsx';
import { readAmount } from '../../../ui/text-field.tsx';
import { searchedText } from '../../../wallets/read-pasted.ts';
import type { Wallet } from '../../../wallets/wallet.ts';
import { useWalletBook } from '../../../wallets/wallet-book.ts';
import { useWantedFocus } from '../pane-focus.ts';

type Kind = 'placed' | 'pulled' | 'above' | 'below' | Exclude<KeptRule['rule']['kind'], 'wallet' | 'price'>;

const KINDS: readonly { readonly value: Kind; readonly text: string }[] = [
  { value: 'placed', text: 'Wallet places' },
  { value: 'pulled', text: 'Wallet pulls' },
  { value: 'place', text: 'Queue place' },
  { value: 'wall', text: 'Wall of one wallet' },
  { value: 'above', text: 'Mid rises to' },
  { value: 'below', text: 'Mid falls to' },
  { value: 'spread', text: 'Spread' },
  { value: 'imbalance', text: 'Imbalance' },
  { value: 'suspect', text: 'Feed suspect' },
  { value: 'epoch', text: 'New epoch' },
];

/** The number fields of each kind of rule: field, accessible name, and the words before and after it, as in the rule's text. */
const FIELDS: Readonly<
  Record<Kind, readonly (readonly [field: Field, name: string, before: string, after?: string])[]>
> = {
  placed: [['minSz', 'Size at least', '≥']],
  pulled: [['minSz', 'Size at least', '≥']],
  place: [['place', 'Place at most', '≤']],
  wall: [
    ['minSz', 'Size at least', '≥'],
    ['withinBps', 'Within basis points', 'within', 'bps'],
  ],
  above: [['px', 'Price', '≥']],
  below: [['px', 'Price', '≤']],
  spread: [['aboveBps', 'Above basis points', '>', 'bps']],
  imbalance: [
    ['above', 'Above (0 to 1), to either side', 'beyond ±'],
    ['withinBps', 'Within basis points', 'within', 'bps'],
  ],
  suspect: [],
  epoch: [],
};

type Field = 'minSz' | 'place' | 'px' | 'withinBps' | 'aboveBps' | 'above';

const FIRST: Readonly<Record<Field, string>> = {
  minSz: '10',
  place: '1',
  px: '',
  withinBps: '10',
  aboveBps: '5',
  above: '0.8',
};

/** The requirement for each part of a rule, as an error text. */
const NEEDS: Readonly<Record<PropertyKey, string>> = {
  user: 'A wallet is 0x and 40 hex digits, or a label of the address book.',
  minSz: 'A size is a number above zero.',
  px: 'A price is a number above zero.',
  place: 'A place is a whole number from 1 to 1,000,000.',
  withinBps: 'Basis points are a number, zero or more.',
  aboveBps: 'Basis points are a number, zero or more.',
  above: 'An imbalance is a number from 0 to below 1.',
};

export function RuleForm({ coin }: { readonly coin: string }) {
  const id = useId();
  const live = useLive();
  const form = useRef<HTMLFormElement>(null);
  useWantedFocus('watch', form);
  const add = useWatchRules((state) => state.add);
  const wallets = useWalletBook((book) => book.wallets);
  const [kind, setKind] = useState<Kind>('placed');
  const [values, setValues] = useState(FIRST);
  /** An address, or the label of a wallet of the address book; undefined until somebody types one. */
  const [user, setUser] = useState<string>();
  const [everyCoin, setEveryCoin] = useState('one');
  const [added, setAdded] = useState<string>();
  const [coinOfPx, setCoinOfPx] = useState(coin);
  if (coinOfPx !== coin) {
    setCoinOfPx(coin);
    setValues({ ...values, px: '' });
  }
  const isPrice = kind === 'above' || kind === 'below';
  const onKind = (next: Kind) => {
    setKind(next);
    const { status } = live.book();
    const { ask = '', bid = '' } = status?.coin === coin ? status.best : {};
    // The mid is below the best ask and above the best bid: the rule does not fire at once.
    if (next === 'above' || next === 'below') setValues({ ...values, px: next === 'above' ? ask : bid });
  };
  const hasWallet = kind === 'placed' || kind === 'pulled' || kind === 'place';
  const byName = useMemo(() => walletsByName(wallets), [wallets]);
  const [first = ''] = byName.keys();
  const chosen = user ?? first;
  const typed = chosen.trim();
  const { rule, refused } = readRule(ruleOf(kind, values, byName.get(typed) ?? searchedText(typed)));
  const validity = (field: Field | 'user') =>
    field === refused ? { 'aria-invalid': true, 'aria-describedby': `${id}-needs` } : {};
  const of = everyCoin === 'every' && !isPrice ? null : coin;
  const isThere = useWatchRules(({ rules }) => hasRule(rules, rule, of));
  const shown = JSON.stringify([rule, of]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (rule === undefined || isThere) return;
    add(rule, of);
    setAdded(shown);
  };
  return (
    <form
      ref={form}
      onSubmit={submit}
      aria-label="New watch rule"
      aria-describedby={`${id}-books`}
      className="flex flex-wrap items-center gap-1 border-b border-line py-1 pr-3 pl-1"
    >
      <Select name="Rule" caption="" value={kind} options={KINDS} onChange={onKind} />
      {hasWallet && (
        <>
          <input
            list={`${id}-wallets`}
            aria-label="Wallet"
            {...validity('user')}
            placeholder="0x… or pick"
            spellCheck={false}
            autoComplete="off"
            value={chosen}
            onChange={(event) => setUser(event.target.value)}
            className={classNames(
              'private h-(--control) w-36 min-w-0 grow rounded-4 border border-edge bg-surface-0 px-2 text-12 text-ellipsis aria-invalid:border-stale',
              chosen.startsWith('0x') && 'num',
            )}
          />
          <datalist id={`${id}-wallets`}>
            {[...byName].map(([name, address]) => (
              <option key={address} value={name}>
                {shortAddress(address)}
              </option>
            ))}
          </datalist>
        </>
      )}
      {FIELDS[kind].map(([field, name, before, after]) => (
        <label key={field} className="flex items-center gap-1 text-12 text-dim">
          {before}
          <input
            inputMode="decimal"
            aria-label={name}
            {...validity(field)}
            autoComplete="off"
            value={values[field]}
            onChange={(event) => setValues({ ...values, [field]: event.target.value.trim() })}
            className="num h-(--control) w-16 rounded-4 border border-edge bg-surface-0 px-2 text-right text-12 text-text aria-invalid:border-stale"
          />
          {after}
        </label>
      ))}
      <Select
        name="For"
        caption=""
        value={isPrice ? 'one' : everyCoin}
        options={[{ value: 'one', text: coin }, ...(isPrice ? [] : [{ value: 'every', text: 'every coin' }])]}
        onChange={setEveryCoin}
      />
      <Button submit look="plain" icon={Plus} disabled={rule === undefined} aria-describedby={`${id}-needs`}>
        Add
      </Button>
      <output id={`${id}-needs`} className="-mt-1 w-full px-2 text-12 text-dim">
        {refused === undefined
          ? isThere && (added === shown ? 'Added to the list.' : 'Already in the list.')
          : NEEDS[refused]}
      </output>
      <p id={`${id}-books`} className="w-full px-2 text-11 text-dim">
        A rule watches a book while it is open in a ladder or a window. Coins of the radar are not watched.
      </p>
    </form>
  );
}

/** The addresses of wallets by the names that the form has for them: their label, or else their address. */
function walletsByName(wallets: readonly Wallet[]): ReadonlyMap<string, Address> {
  const byName = new Map<string, Address>();
  for (const { label, address } of wallets) {
    // Of several wallets with one label, the first has it as its name.
    byName.set(label === '' || byName.has(label) ? address : label, address);
  }
  return byName;
}

/** The typed values as a rule object, not yet validated; a number that cannot be read is missing. */
function ruleOf(kind: Kind, values: Readonly<Record<Field, string>>, user: string): object {
  const minSz = readAmount(values.minSz);
  const withinBps = readAmount(values.withinBps);
  switch (kind) {
    case 'placed':
    case 'pulled':
      return { kind: 'wallet', user, event: kind, minSz };
    case 'place':
      return { kind, user, place: Number(readAmount(values.place)) };
    case 'wall':
      return { kind, withinBps, minSz };
    case 'above':
    case 'below':
      return { kind: 'price', reaches: kind, px: readAmount(values.px) };
    case 'spread':
      return { kind, aboveBps: readAmount(values.aboveBps) };
    case 'imbalance':
      return { kind, withinBps, above: readAmount(values.above) };
    case 'suspect':
    case 'epoch':
      return { kind };
  }
}
