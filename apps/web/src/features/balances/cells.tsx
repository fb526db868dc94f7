import type { DecimalString } from '@l4desk/protocol';
import { classNames } from '../../ui/class-names.ts';
import { aligned } from '../../ui/format.ts';
import { Age, Ago } from '../../ui/page/states.tsx';
import type { TableColumn } from '../../ui/table/table-column.ts';
import type { Change } from '../../wallets/balances/balance-store.ts';
import type { Field } from '../../wallets/balances/fields.ts';
import { amountOf, changeOf, type Sum, sumSign, type Token, type WalletEntry } from '../../wallets/balances/sums.ts';
import type { RoleFacts } from '../../wallets/roles.ts';
import type { Wallet } from '../../wallets/wallet.ts';
import { RoleTag, WalletName } from '../../wallets/wallet-mark.tsx';

interface AmountProps {
  readonly value: DecimalString | undefined;
  readonly decimals: number;
  readonly absence: Absence;
  readonly change?: Change | undefined;
}

const ABSENCE_SIGNS = { none: '—', unknown: '?' } as const;

/** An amount with all its digits; a dash for no amount, a question mark for an unknown one, each with its reason. */
export function Amount({ value, decimals, absence, change }: AmountProps) {
  if (value === undefined) {
    return (
      <span
        className={absence.kind === 'unknown' ? 'text-stale' : 'text-dim'}
        title={absence.text}
        data-absence={absence.kind}
      >
        <span aria-hidden>{ABSENCE_SIGNS[absence.kind]}</span>
        <span className="sr-only">
          {absence.kind}: {absence.text}
        </span>
      </span>
    );
  }
  return (
    <span
      className={classNames(
        'private',
        change !== undefined ? 'font-bold text-strong' : !/[1-9]/.test(value) && 'text-dim',
      )}
      title={change && `Changed by the last refresh; before: ${change.from ?? 'not reported'}`}
      data-amount={value}
      data-changed={change && (change.from ?? '')}
    >
      {aligned(value, decimals)}
    </span>
  );
}

interface AmountOfProps {
  readonly entry: WalletEntry;
  /** Undefined in the row of a wallet without balances. */
  readonly token: Token | undefined;
  readonly field: Field;
  readonly decimals: number;
}

/** What a wallet reports of a token, and how its last response changed it. */
export function AmountOf({ entry, token, field, decimals }: AmountOfProps) {
  return (
    <Amount
      value={token && amountOf(entry, token)?.[field]}
      decimals={decimals}
      absence={absenceOf(entry, token?.name, field)}
      change={token && changeOf(entry, token, field)}
    />
  );
}

/** What is copied of a sum: exact, and still marked if wallets are missing. */
export const copiedSum = (sum: Sum) => sum.value && sumSign(sum) + sum.value;

/** What is copied of a wallet. */
export const copiedName = ({ label, address }: Wallet) => label || address;

/** Px of a column of wallets with their roles. */
export const ROLE_WIDTH = 280;

interface NamedRoleProps extends Pick<WalletEntry, 'wallet'> {
  readonly roles: RoleFacts;
}

/** A wallet, and what it is if it is not an account of its own. */
export function NamedRole({ wallet, roles }: NamedRoleProps) {
  const fact = roles.get(wallet.address);
  return (
    <>
      <WalletName wallet={wallet} />
      {fact && <RoleTag fact={fact} />}
    </>
  );
}

/** The column of the wallets, with which a table begins. */
export function walletNameColumn<Row>(
  walletOf: (row: Row) => Wallet,
  more: Partial<TableColumn<Row>> = {},
): TableColumn<Row> {
  return {
    id: 'wallet',
    title: 'Wallet',
    width: 160,
    fixed: true,
    sortBy: (row) => copiedName(walletOf(row)),
    copied: (row) => copiedName(walletOf(row)),
    cell: (row) => <WalletName wallet={walletOf(row)} />,
    ...more,
  };
}

/** Labels the age as that of the values, not of a later failure. */
export function ValuesAge({ at }: { readonly at: number }) {
  return (
    <>
      values <Age at={at} />
    </>
  );
}

/** A column that says why wallets failed, while only those are in view. */
export function failureColumn<Row>(entryOf: (row: Row) => WalletEntry | undefined): TableColumn<Row> {
  return {
    id: 'state',
    title: 'Failure',
    width: 440,
    narrow: true,
    copied: (row) => {
      const state = entryOf(row)?.state;
      return state?.kind === 'error' ? state.message : undefined;
    },
    cell: (row) => {
      const entry = entryOf(row);
      return entry && <Failure entry={entry} />;
    },
  };
}

/** Why a wallet failed, when, and the age of the values shown for it. */
function Failure({ entry: { state, reading } }: { readonly entry: WalletEntry }) {
  if (state.kind !== 'error') return null;
  return (
    <span className="flex min-w-0 items-baseline whitespace-pre" title={state.text} data-part="failure">
      <span className="shrink-0 text-stale">
        error <Ago at={state.failedAt} />
        {' · '}
      </span>
      <span className="num min-w-0 truncate text-12 text-text">{state.message} · </span>
      <span className="shrink-0">{reading === undefined ? 'no values' : <ValuesAge at={reading.at} />}</span>
    </span>
  );
}

/** The display name of a field. */
export const FIELD_TEXTS: Readonly<Record<Field, string>> = {
  total: 'Total',
  hold: 'Hold',
  available: 'Available',
  entryNtl: 'entryNtl',
};

export const FIELD_HINTS: Readonly<Record<Field, string>> = {
  total: 'total, as reported',
  hold: 'hold, as reported: reserved by resting orders and, in unified and portfolio-margin accounts, by perps',
  available: 'available after maintenance (tokenToAvailableAfterMaintenance), as reported; absent does not mean zero',
  entryNtl: 'entryNtl, as reported: notional at entry, not at the current price',
};

/** The token's index, which distinguishes tokens of one name; outcome tokens have none. */
export function indexText({ token }: Token): string {
  return token === undefined ? 'no token index' : `token ${token}`;
}

/** Why a cell has no amount: the wallet's response has none, or there is no response. */
interface Absence {
  readonly kind: 'none' | 'unknown';
  readonly text: string;
}

/**
 * If a wallet was not read, or its call failed, its amounts are unknown; otherwise an amount missing from its response does not
 * exist.
 */
export function absenceOf(entry: WalletEntry, tokenName?: string, field?: Field): Absence {
  if (entry.reading === undefined) {
    return {
      kind: 'unknown',
      text: entry.state.kind === 'error' ? entry.state.text : 'This wallet has not been loaded yet.',
    };
  }
  if (tokenName === undefined) return { kind: 'none', text: 'This wallet reports no balances.' };
  return {
    kind: 'none',
    text:
      field === 'available'
        ? `The response has no ${tokenName} available after maintenance. Absent does not mean zero.`
        : `This wallet reports no ${field ?? 'balance'} of ${tokenName}.`,
  };
}
