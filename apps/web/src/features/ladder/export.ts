import { count, decimal, type ExportColumn, text } from '../../ui/export/csv.ts';
import type { LadderSnapshot, SnapshotRow } from './snapshot.ts';

/** A row on the screen, with its position in the stream. */
export interface LadderExportRow
  extends Pick<LadderSnapshot, 'coin' | 'tick' | 'height' | 'seq' | 'epoch' | 'blockTime'> {
  readonly row: SnapshotRow;
}

/** Every row carries its own position, so that files can be joined. */
export const LADDER_EXPORT: readonly ExportColumn<LadderExportRow>[] = [
  { name: 'coin', value: ({ coin }) => text(coin) },
  { name: 'tick', value: ({ tick }) => decimal(tick) },
  { name: 'height', value: ({ height }) => count(height) },
  { name: 'seq', value: ({ seq }) => count(seq) },
  { name: 'epoch', value: ({ epoch }) => text(epoch) },
  { name: 'time', moment: ({ blockTime }) => blockTime },
  { name: 'side', value: ({ row }) => text(row.side) },
  { name: 'px', value: ({ row }) => decimal(row.px) },
  { name: 'sz', value: ({ row }) => decimal(row.sz) },
  { name: 'cumulative', value: ({ row }) => decimal(row.cumulative) },
  { name: 'orders', value: ({ row }) => count(row.count) },
];

export function ladderExportRows(snapshot: LadderSnapshot | undefined): readonly LadderExportRow[] {
  if (snapshot === undefined) return [];
  const { coin, tick, height, seq, epoch, blockTime, rows } = snapshot;
  return rows.map((row) => ({ coin, tick, height, seq, epoch, blockTime, row }));
}

/** The market at that block; null if a side is empty. */
export function ladderFacts(snapshot: LadderSnapshot | undefined): Readonly<Record<string, string | null>> {
  const { bid = null, ask = null, spread, mid } = snapshot ?? {};
  return { bestBid: bid, bestAsk: ask, spread: spread || null, mid: mid || null };
}
