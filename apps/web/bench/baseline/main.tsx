import '../../src/ui/base.css';
import { memo, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { type LadderFrame, readFrame } from '../../src/book-worker/frame/read-frame.ts';
import { Live } from '../../src/book-worker/live.ts';
import { priceOfIndex, tickGrid } from '../../src/book-worker/prices.ts';
import { startWorker } from '../../src/book-worker/worker-port.ts';
import { decimalText, grouped, wholeText } from '../../src/ui/format.ts';

/**
 * The peer page of the ladder benchmark: the same worker, frames and rows, drawn the way most order books are, with React rows
 * whose queues are DOM chips. It draws sixty rows with up to twelve chips each and nothing else.
 */
const SLOTS = 60;
const CHIPS = 12;

interface Row {
  readonly key: string;
  readonly side: string;
  readonly px: string;
  readonly size: string;
  readonly count: string;
  readonly cumulative: string;
  readonly chips: readonly number[];
  readonly more: number;
}

function rowsOf(frame: LadderFrame): readonly Row[] {
  const grid = tickGrid(frame.tick);
  if (grid === undefined) return [];
  return Array.from({ length: frame.rowCount }, (_, row) => {
    const start = frame.laneStart(row);
    const chips = Array.from(frame.lanes.subarray(start, start + Math.min(CHIPS, frame.laneLength(row))));
    return {
      key: `${frame.side(row)}${frame.index(row)}`,
      side: frame.side(row),
      px: grouped(priceOfIndex(grid, frame.index(row))),
      size: decimalText(frame.sizeText(row), frame.sizeDecimals),
      count: wholeText(frame.count(row)),
      cumulative: decimalText(frame.cumulativeText(row), frame.sizeDecimals),
      chips: chips.map((size) => Math.max(2, Math.round((size / Math.max(frame.size(row), 1e-12)) * 160))),
      more: frame.count(row) - chips.length,
    };
  });
}

const RowView = memo(
  function RowView({ row }: { readonly row: Row }) {
    const isAsk = row.side === 'A';
    return (
      <div className="num flex h-5 items-center gap-2 text-12">
        <span className={`w-20 text-right ${isAsk ? 'text-ask' : 'text-bid'}`}>{row.px}</span>
        <span className="w-24 text-right text-text">{row.size}</span>
        <span className="w-12 text-right text-dim">{row.count}</span>
        <span className="w-24 text-right text-dim">{row.cumulative}</span>
        <span className="flex items-center gap-px">
          {row.chips.map((width, place) => (
            // oxlint-disable-next-line react/no-array-index-key -- a chip is its place in the queue
            <span key={place} className={`h-3 ${isAsk ? 'bg-ask-mark' : 'bg-bid-mark'}`} style={{ width }} />
          ))}
          {row.more > 0 && <span className="text-11 text-dim">+{row.more}</span>}
        </span>
      </div>
    );
  },
  (before, after) => JSON.stringify(before.row) === JSON.stringify(after.row),
);

function Baseline() {
  const [rows, setRows] = useState<readonly Row[]>([]);
  useEffect(() => {
    const live = new Live(startWorker, 'simulated');
    let serial = 0;
    let version = 0;
    let axis: LadderFrame['axis'] | null = null;
    const ask = () => {
      serial += 1;
      const { generation } = live;
      const question = { serial, generation, after: version, tick: null, axis, slots: SLOTS } as const;
      live.ask({ ...question, mode: 'auto', held: false, recentre: false, lane: CHIPS, notional: 'none', flow: false });
    };
    live.onFrame((buffer) => {
      const frame = readFrame(buffer);
      version = frame.version;
      axis = frame.axis;
      requestAnimationFrame(() => {
        setRows(rowsOf(frame));
        ask();
      });
    });
    live.open();
    live.follow('BTC');
    ask();
    return () => live.close();
  }, []);
  return (
    <div data-part="ladder-grid">
      {rows.map((row) => (
        <RowView key={row.key} row={row} />
      ))}
    </div>
  );
}

const container = document.getElementById('app');
if (container !== null) createRoot(container).render(<Baseline />);
