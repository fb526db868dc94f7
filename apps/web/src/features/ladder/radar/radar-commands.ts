import { useMemo, useSyncExternalStore } from 'react';
import { useRadar } from '../../../book-worker/radar/radar-context.ts';
import type { Command } from '../../../hooks/commands.ts';
import { counted } from '../../../ui/format.ts';
import { radarCredits, useRadarCoins } from './radar-coins.ts';

/** Starting and stopping the radar as palette commands. `onShow` shows its tiles. */
export function useRadarCommands(onShow: () => void): readonly Command[] {
  const radar = useRadar();
  const isOn = useSyncExternalStore(radar.subscribe, () => radar.view().coins.length > 0);
  const { coins } = useRadarCoins();
  return useMemo(() => {
    if (isOn) return [{ id: 'radar stop', text: 'Stop the radar', run: () => radar.stop() }];
    if (coins.length === 0) return [];
    const { now, perMinute } = radarCredits(coins.length);
    const run = () => {
      radar.follow(coins);
      onShow();
    };
    const text = `Start the radar of ${counted(coins.length, 'coin')}`;
    return [{ id: 'radar start', text, hint: `${now} credits, then ${perMinute}/min`, run }];
  }, [radar, isOn, coins, onShow]);
}
