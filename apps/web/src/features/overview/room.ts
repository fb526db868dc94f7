import { useMedia } from '../../hooks/use-media.ts';

/** How much of a tile fits: rows of a table, and whether there is room for more columns. */
export interface Room {
  readonly rows: number;
  /** Coins at each end of the funding rates. */
  readonly ends: number;
  readonly isWide: boolean;
}

/** The room that the window leaves a tile. */
export function useRoom(): Room {
  const isTall = useMedia('(min-height: 800px)');
  const isVeryTall = useMedia('(min-height: 1200px)');
  const isWide = useMedia('(min-width: 2000px)');
  return { rows: isVeryTall ? 36 : isTall ? 18 : 9, ends: isVeryTall ? 20 : isTall ? 6 : 4, isWide };
}
