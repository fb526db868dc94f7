import { COARSE_POINTER, useMedia } from '../../hooks/use-media.ts';
import { usePreferences } from '../../state/preferences.ts';

/** A finger needs rows this high; a pointer those of the density. */
const ROW_HEIGHTS = { compact: 20, comfortable: 26, coarse: 32 } as const;

/** How high the rows of a grid are, px. */
export function useRowHeight(): number {
  const density = usePreferences((state) => state.density);
  const isCoarse = useMedia(COARSE_POINTER);
  return ROW_HEIGHTS[isCoarse ? 'coarse' : density];
}
