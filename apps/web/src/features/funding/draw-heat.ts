import type { HourOfDay } from './hours.ts';

/** How strong a cell's colour is, in percent of its hue: the text on it must stay readable. */
const STRONGEST = 40;

/** The background of each hour: blue above zero, orange below, stronger the further from zero; the sign stands in the cell. */
export function drawHeat(rows: readonly (readonly HourOfDay[])[]): readonly (readonly (string | undefined)[])[] {
  const most = Math.max(0, ...rows.flat().map(({ mean }) => Math.abs(Number(mean ?? 0))));
  return rows.map((hours) =>
    hours.map(({ mean }) => {
      const value = Number(mean ?? 0);
      if (most === 0 || value === 0) return undefined;
      const share = Math.round((Math.abs(value) / most) * STRONGEST);
      return `color-mix(in srgb, var(--series-${value > 0 ? 1 : 2}) ${share}%, transparent)`;
    }),
  );
}
