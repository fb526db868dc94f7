import { useEffect, useRef } from 'react';
import { indexOfKey, type PlacedRow } from './placed-rows.ts';
import type { RowSource } from './table-column.ts';

interface SelectedRowOf<Row> {
  readonly selected: string | undefined;
  readonly placed: RowSource<PlacedRow<Row>>;
  readonly isLaidOut: boolean;
  /** Whether it is brought into view once only, because its row moves by itself. */
  readonly isOnce: boolean;
  /** Stable. */
  readonly scrollTo: { scrollToIndex(index: number): void };
}

/**
 * Scrolls to the selected row until the user has seen it: a link or the Back button may select a row that is out of view, and
 * later responses may move it. Call `choose` with the key of a row that the user chooses here, and `touch` when the table is used.
 */
export function useSelectedRowInView<Row>({ selected, placed, isLaidOut, isOnce, scrollTo }: SelectedRowOf<Row>) {
  /** The row that the user has chosen here, until it is the selected one. */
  const chosen = useRef<string | undefined>(undefined);
  /** Whether the user has seen the selected row: it was chosen here, or the table was used since it was selected. */
  const isSeen = useRef(false);
  useEffect(() => {
    isSeen.current = selected === chosen.current;
    if (isSeen.current) chosen.current = undefined;
  }, [selected]);
  useEffect(() => {
    if (isSeen.current || !isLaidOut) return;
    const at = indexOfKey(placed, selected);
    if (at === undefined) return;
    if (isOnce) isSeen.current = true;
    scrollTo.scrollToIndex(at);
  }, [isLaidOut, placed, selected, isOnce, scrollTo]);
  return {
    choose: (key: string) => {
      chosen.current = key;
    },
    touch: () => {
      isSeen.current = true;
      chosen.current = undefined;
    },
  };
}
