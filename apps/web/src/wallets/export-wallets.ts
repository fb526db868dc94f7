import { csvOf, type ExportColumn } from '../ui/export/csv.ts';
import type { Wallet } from './wallet.ts';

const COLUMNS: readonly ExportColumn<Wallet>[] = [
  { name: 'address', id: (wallet) => wallet.address },
  { name: 'label', text: (wallet) => wallet.label },
  { name: 'group', text: (wallet) => wallet.group },
  { name: 'tags', text: (wallet) => wallet.tags.join(';') },
  { name: 'colour', text: (wallet) => wallet.colour },
];

/** The address book as CSV; an import reads it back. */
export function walletsCsv(wallets: readonly Wallet[]): string {
  return csvOf(COLUMNS, wallets);
}

export function walletsJson(wallets: readonly Wallet[]): string {
  return `${JSON.stringify({ wallets }, null, 2)}\n`;
}
