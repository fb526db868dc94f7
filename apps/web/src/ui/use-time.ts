import { useMemo } from 'react';
import { usePreferences } from '../state/preferences.ts';
import { clockText, dayText, momentText, type TimeZone, zoneText } from './format.ts';

export interface TimeTexts {
  readonly zone: TimeZone;
  readonly moment: (at: number) => string;
  /** The same without milliseconds: `2026-05-05 14:02:11 UTC`. */
  readonly second: (at: number) => string;
  readonly clock: (at: number) => string;
  readonly day: (at: number) => string;
  readonly zoneAt: (at: number) => string;
}

/** Times formatted as the user chose: UTC or local, always with the zone. */
export function useTime(): TimeTexts {
  const zone = usePreferences((state) => state.timeZone);
  return useMemo(
    () => ({
      zone,
      moment: (at) => momentText(at, zone),
      second: (at) => momentText(at, zone).replace(/\.\d+ /, ' '),
      clock: (at) => clockText(at, zone),
      day: (at) => dayText(at, zone),
      zoneAt: (at) => zoneText(zone, at),
    }),
    [zone],
  );
}
