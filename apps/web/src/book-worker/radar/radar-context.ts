import { useSyncExternalStore } from 'react';
import { requiredContext } from '../../hooks/required-context.ts';
import type { Radar, RadarView } from './radar.ts';

export const [RadarProvider, useRadar] = requiredContext<Radar>('The radar');

/** The coins that the radar follows, and the last tile of each. */
export function useRadarView(): RadarView {
  const radar = useRadar();
  return useSyncExternalStore(radar.subscribe, radar.view);
}
