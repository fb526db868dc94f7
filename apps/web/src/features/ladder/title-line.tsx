import { Ruler } from 'lucide-react';
import type { ReactNode } from 'react';
import { useWithKey } from '../../hooks/actions.ts';
import { IconButton } from '../../ui/button.tsx';
import type { ExportColumn } from '../../ui/export/csv.ts';
import { ExportMenu } from '../../ui/export/export-menu.tsx';
import { useBookPage } from './book-page.ts';
import { CoinPicker } from './coin-picker.tsx';
import { ColumnsMenu } from './columns-menu.tsx';
import { type ControlledLadder, LadderControls } from './ladder-controls.tsx';
import { PriceLine } from './price-line.tsx';
import type { LadderSnapshot, SnapshotRow } from './snapshot.ts';
import { StatusChip } from './status-chip.tsx';

interface TitleLineProps {
  readonly known: boolean;
  readonly ladder: ControlledLadder;
  readonly more: ReactNode;
}

export function TitleLine({ known, ladder, more }: TitleLineProps) {
  const { coin, tick } = useBookPage();
  const { pane } = ladder;
  const withKey = useWithKey();
  return (
    <div data-part="title-line" className="@container/title shrink-0 border-b border-line">
      <div className="relative isolate h-[max(calc(var(--control)+4px),1lh)] text-20">
        <div className="own-layout flex items-end gap-x-2 px-2 text-13 max-sm:pl-0.5">
          <h1 className="contents">
            <CoinPicker />
          </h1>
          {known && <PriceLine coin={coin} />}
        </div>
      </div>
      <div className="flex items-center justify-between gap-x-4 gap-y-1 px-2 py-1 @max-[64em]/title:flex-wrap">
        {/* Isolated, so that it is repainted only when something in it changes, not with each block. */}
        <div
          data-part="title-controls"
          className="isolate flex items-center gap-1 @max-[64em]/title:flex-wrap max-sm:-mx-1.5 max-sm:gap-0 @min-[64em]/title:shrink-0"
        >
          <LadderControls ladder={ladder} />
          <IconButton
            icon={Ruler}
            name={withKey('Ruler: measure between two prices', 'ruler')}
            onClick={() => pane.current?.run({ kind: 'toggleRuler' })}
          />
          <ColumnsMenu />
          {/* On a phone in the palette only, so that the controls are one line. */}
          <span className="contents max-sm:hidden">
            <ExportMenu
              name={['book', coin, tick ?? '']}
              description="The rows in view, exact, with block, seq and epoch."
              columns={LADDER_EXPORT}
              rows={() => ladderExportRows(pane.current?.snapshot)}
              facts={() => ladderFacts(pane.current?.snapshot)}
            />
          </span>
          {more}
        </div>
        {known && <StatusChip />}
      </div>
    </div>
  );
}

/** A row on the screen, with its position in the stream. */
interface LadderExportRow extends Pick<LadderSnapshot, 'coin' | 'tick' | 'height' | 'seq' | 'epoch' | 'blockTime'> {
  readonly row: SnapshotRow;
}

/** Every row carries its own position, so that files can be joined. */
export const LADDER_EXPORT: readonly ExportColumn<LadderExportRow>[] = [
  { name: 'coin', text: ({ coin }) => coin },
  { name: 'tick', value: ({ tick }) => tick },
  { name: 'height', value: ({ height }) => height },
  { name: 'seq', value: ({ seq }) => seq },
  { name: 'epoch', text: ({ epoch }) => epoch },
  { name: 'time', moment: ({ blockTime }) => blockTime },
  { name: 'side', text: ({ row }) => row.side },
  { name: 'px', value: ({ row }) => row.px },
  { name: 'sz', value: ({ row }) => row.sz },
  { name: 'cumulative', value: ({ row }) => row.cumulative },
  { name: 'orders', value: ({ row }) => row.count },
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
