import { Ruler } from 'lucide-react';
import type { ReactNode } from 'react';
import { useWithKey } from '../../hooks/actions.ts';
import { IconButton } from '../../ui/button.tsx';
import { ExportMenu } from '../../ui/export/export-menu.tsx';
import { CoinPicker } from './coin-picker.tsx';
import { ColumnsMenu } from './columns-menu.tsx';
import { LADDER_EXPORT, ladderExportRows, ladderFacts } from './export.ts';
import { type ControlledLadder, LadderControls } from './ladder-controls.tsx';
import { PriceLine } from './price-line.tsx';
import { StatusChip } from './status-chip.tsx';

interface TitleLineProps {
  readonly coin: string;
  /** The exchange lists it. */
  readonly known: boolean;
  readonly picking: boolean;
  readonly onPicking: (picking: boolean) => void;
  readonly onCoin: (coin: string) => void;
  readonly ladder: ControlledLadder;
  /** Controls that concern more than this ladder. */
  readonly more: ReactNode;
}

/** Title and controls of the page; their state is in the URL. */
export function TitleLine(props: TitleLineProps) {
  const { coin, ladder } = props;
  const { pane, tick } = ladder;
  const withKey = useWithKey();
  return (
    <div data-part="title-line" className="@container/title shrink-0 border-b border-line">
      <div className="relative isolate h-[max(calc(var(--control)+4px),1lh)] text-20">
        <div className="own-layout flex items-end gap-x-2 px-2 text-13 max-sm:pl-0.5">
          <h1 className="contents">
            <CoinPicker coin={coin} open={props.picking} onOpenChange={props.onPicking} onPick={props.onCoin} />
          </h1>
          {props.known && <PriceLine coin={coin} />}
        </div>
      </div>
      <div className="flex items-center justify-between gap-x-4 gap-y-1 px-2 py-1 @max-row:flex-wrap">
        {/* Isolated, so that it is repainted only when something in it changes, not with each block. */}
        <div
          data-part="title-controls"
          className="isolate flex items-center gap-1 @max-row:flex-wrap max-sm:-mx-1.5 max-sm:gap-0 @row:shrink-0"
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
              says="The rows in view, exact, with block, seq and epoch."
              columns={LADDER_EXPORT}
              rows={() => ladderExportRows(pane.current?.snapshot)}
              facts={() => ladderFacts(pane.current?.snapshot)}
            />
          </span>
          {props.more}
        </div>
        {props.known && <StatusChip />}
      </div>
    </div>
  );
}
