import { useMedia } from '../../hooks/use-media.ts';

/** How much fits into a tile: rows of a table, and whether more columns fit. */
export interface Room {
  readonly rows: number;
  /** Number of coins at each end of the funding rates. */
  readonly ends: number;
  readonly isWide: boolean;
}

/** The space that the window leaves for a tile. */
export function useRoom(): Room {
  const isTall = useMedia('(min-height: 800px)');
  const isVeryTall = useMedia('(min-height: 1200px)');
  const isWide = useMedia('(min-width: 2000px)');
  return { rows: isVeryTall ? 36 : isTall ? 18 : 9, ends: isVeryTall ? 20 : isTall ? 6 : 4, isWide };
}
