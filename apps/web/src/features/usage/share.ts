import { divide, formatUnits, multiply } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import { percentText, wholeText } from '../../ui/format.ts';
import { daysOfMonth } from './days.ts';

const DAY_MS = 86_400_000;

/** `41.2 %`: part of a whole, to a tenth of a percent; undefined of nothing. */
export function shareText(part: number, whole: number): string | undefined {
  const share = divide(formatUnits(part, 0), formatUnits(whole, 0), 3);
  return share && percentText(share);
}

/**
 * The shares of parts in a whole, to a tenth of a percent, adding up to the share of their sum: the tenths that rounding
 * down leaves go to the largest remainders. A part is never shown as nothing.
 */
export function sharesText(parts: readonly number[], whole: number): readonly (string | undefined)[] {
  if (whole <= 0) return parts.map(() => undefined);
  const total = BigInt(whole);
  const sum = parts.reduce((all, part) => all + BigInt(part), 0n);
  const shares = parts.map((part, at) => {
    const scaled = BigInt(part) * 1_000n;
    return { at, part, tenths: scaled / total, remainder: scaled % total };
  });
  const left = (sum * 2_000n + total) / (2n * total) - shares.reduce((all, { tenths }) => all + tenths, 0n);
  const raised = new Set(
    shares
      .toSorted((a, b) => (a.remainder === b.remainder ? a.at - b.at : a.remainder > b.remainder ? -1 : 1))
      .slice(0, Number(left))
      .map(({ at }) => at),
  );
  return shares.map(({ at, part, tenths }) => {
    const shown = raised.has(at) ? tenths + 1n : tenths;
    return part > 0 && shown === 0n ? '< 0.1 %' : `${wholeText(Number(shown / 10n))}.${shown % 10n} %`;
  });
}

/** How much of a calendar month (UTC) has gone by. */
export interface Elapsed {
  readonly elapsedMs: number;
  readonly lengthMs: number;
}

/** How much of the month of `today` has gone by at `now`; a moment of another day counts as its nearest one. */
export function elapsedOfMonth(today: string, now: number): Elapsed {
  const days = daysOfMonth(today);
  const before = days.indexOf(today) * DAY_MS;
  const intoDay = Math.min(DAY_MS, Math.max(0, now - Date.parse(today)));
  return { elapsedMs: before + intoDay, lengthMs: days.length * DAY_MS };
}

/**
 * Share of the plan that is used, over the share of the month that has gone by, rounded half up to hundredths: at 1.00 the
 * plan lasts exactly to the end of the month. Undefined without a plan, and in the first moment of a month.
 */
export function burnRate(used: number, ceiling: number, { elapsedMs, lengthMs }: Elapsed): DecimalString | undefined {
  const product = (a: number, b: number) => multiply(formatUnits(a, 0), formatUnits(b, 0));
  return divide(product(used, lengthMs), product(ceiling, elapsedMs), 2);
}
