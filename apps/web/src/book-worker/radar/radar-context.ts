import { createContext, use, useSyncExternalStore } from 'react';
import type { Radar, RadarView } from './radar.ts';

const RadarContext = createContext<Radar | undefined>(undefined);

/** Hands the page's one radar to what is inside. */
export const RadarProvider = RadarContext.Provider;

export function useRadar(): Radar {
  const radar = use(RadarContext);
  if (radar === undefined) throw new Error('useRadar outside RadarProvider');
  return radar;
}

/** Which coins the radar follows, and what it last said of each. */
export function useRadarView(): RadarView {
  const radar = useRadar();
  return useSyncExternalStore(radar.subscribe, radar.view);
}
