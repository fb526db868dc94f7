import { COARSE_POINTER, useMedia } from '../../hooks/use-media.ts';
import { usePreferences } from '../../state/preferences.ts';

/** Row heights in px: `coarse` for touch, otherwise by the density. */
const ROW_HEIGHTS = { compact: 20, comfortable: 26, coarse: 32 } as const;

/** The height of a grid's rows, px. */
export function useRowHeight(): number {
  const density = usePreferences((state) => state.density);
  const isCoarse = useMedia(COARSE_POINTER);
  return ROW_HEIGHTS[isCoarse ? 'coarse' : density];
}
