import '../../src/ui/base.css';
import { memo, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import type { LadderFrame } from '../../src/book-worker/ladder-frame.ts';
import { Live } from '../../src/book-worker/live.ts';
import { priceOfIndex } from '../../src/book-worker/prices.ts';
import { decimalText, grouped, wholeText } from '../../src/ui/format.ts';
import { CHIPS } from './rows.ts';

/**
 * The peer page of the ladder benchmark: the same worker and rows, drawn the way most order books are, with React rows
 * whose queues are DOM chips. It draws sixty rows with up to twelve chips each and nothing else.
 */
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

function rowsOf({ grid, rows, lanes, sizeDecimals }: LadderFrame): readonly Row[] {
  return rows.map(({ side, index, sz, cumSz, count, size, laneStart, laneLength }) => {
    const chips = Array.from(lanes.subarray(laneStart, laneStart + Math.min(CHIPS, laneLength)));
    return {
      key: `${side}${index}`,
      side,
      px: grouped(priceOfIndex(grid, index)),
      size: decimalText(sz, sizeDecimals),
      count: wholeText(count),
      cumulative: decimalText(cumSz, sizeDecimals),
      chips: chips.map((chip) => Math.max(2, Math.round((chip / Math.max(size, 1e-12)) * 160))),
      more: count - chips.length,
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
    const start = () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'l4-book' });
    const live = new Live(start, 'simulated');
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', ({ data }: MessageEvent<LadderFrame>) => {
      requestAnimationFrame(() => {
        setRows(rowsOf(data));
        // The worker sends the next rows once these are shown.
        port1.postMessage('next');
      });
    });
    port1.start();
    live.open();
    live.follow('BTC');
    live.openCanvas('ladder', port2);
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
