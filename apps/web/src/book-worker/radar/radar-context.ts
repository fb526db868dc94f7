import { useStore } from 'zustand';
import { requiredContext } from '../../hooks/required-context.ts';
import type { Radar, RadarView } from './radar.ts';

export const [RadarProvider, useRadar] = requiredContext<Radar>('The radar');

/** The coins that the radar follows, and the last tile of each. */
export function useRadarView(): RadarView {
  return useStore(useRadar().view);
}
