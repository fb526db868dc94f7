import { count, decimal, type ExportColumn, id, text } from '../../ui/export/csv.ts';
import { type Change, deltaOf } from '../../wallets/balances/balance-store.ts';
import type { Wallet } from '../../wallets/wallet.ts';
import type { ListRow } from './list-rows.tsx';

/** One balance per line, with the state of its wallet. */
export const BALANCE_EXPORT: readonly ExportColumn<ListRow>[] = [
  { name: 'wallet', value: ({ entry }) => id(entry.wallet.address) },
  { name: 'label', value: ({ entry }) => text(entry.wallet.label) },
  { name: 'group', value: ({ entry }) => text(entry.wallet.group) },
  { name: 'coin', value: ({ amounts }) => text(amounts?.coin) },
  { name: 'token', value: ({ token }) => count(token?.token) },
  { name: 'total', value: ({ amounts }) => decimal(amounts?.total) },
  { name: 'hold', value: ({ amounts }) => decimal(amounts?.hold) },
  { name: 'available_after_maintenance', value: ({ amounts }) => decimal(amounts?.available) },
  { name: 'entry_ntl', value: ({ amounts }) => decimal(amounts?.entryNtl) },
  { name: 'state', value: ({ entry }) => text(entry.state.kind) },
  {
    name: 'message',
    value: ({ entry }) => (entry.state.kind === 'error' ? text(entry.state.text) : null),
  },
  { name: 'read_at', moment: ({ entry }) => entry.reading?.at ?? null },
];

/** One change per line. */
export function changeExport(wallets: readonly Wallet[]): readonly ExportColumn<Change>[] {
  const labels = new Map(wallets.map(({ address, label }) => [address, label]));
  return [
    { name: 'at', moment: ({ at }) => at },
    { name: 'since', moment: ({ since }) => since },
    { name: 'wallet', value: ({ user }) => id(user) },
    { name: 'label', value: ({ user }) => text(labels.get(user)) },
    { name: 'coin', value: ({ coin }) => text(coin) },
    { name: 'token', value: ({ token }) => count(token) },
    { name: 'field', value: ({ field }) => text(field) },
    { name: 'from', value: ({ from }) => decimal(from) },
    { name: 'to', value: ({ to }) => decimal(to) },
    { name: 'delta', value: (change) => decimal(deltaOf(change)) },
  ];
}
