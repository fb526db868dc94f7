import { useBook } from '../../book-worker/use-book.ts';
import { columnDecimals } from '../../ui/format.ts';

/** As many decimals as prices near the mid and sizes have together: a notional has no more, and its digits keep their places. */
export function useNotionalDecimals(sizeDecimals: number): number {
  const tick = useBook(({ status }) => status?.ticks[0]) ?? '';
  return columnDecimals([tick]) + sizeDecimals;
}
