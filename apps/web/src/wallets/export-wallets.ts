import { csvOf, type ExportColumn, id, text } from '../ui/export/csv.ts';
import type { Wallet } from './wallet.ts';

const COLUMNS: readonly ExportColumn<Wallet>[] = [
  { name: 'address', value: (wallet) => id(wallet.address) },
  { name: 'label', value: (wallet) => text(wallet.label) },
  { name: 'group', value: (wallet) => text(wallet.group) },
  { name: 'tags', value: (wallet) => text(wallet.tags.join(';')) },
  { name: 'colour', value: (wallet) => text(wallet.colour) },
];

/** The address book as CSV; an import reads it back. */
export function walletsCsv(wallets: readonly Wallet[]): string {
  return csvOf(COLUMNS, wallets);
}

export function walletsJson(wallets: readonly Wallet[]): string {
  return `${JSON.stringify({ wallets }, null, 2)}\n`;
}
