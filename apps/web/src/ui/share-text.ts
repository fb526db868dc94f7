import { wholeText } from './format.ts';

/** Part of a whole as percent with one decimal, `41.2 %`; both are whole numbers. Undefined if the whole is zero. */
export function shareText(part: number, whole: number): string | undefined {
  return sharesText([part], whole)[0];
}

/**
 * The shares of parts in a whole, as percent with one decimal, adding up to the share of their sum: the tenths left over by
 * rounding down go to the largest remainders. A part above zero is never shown as zero, and less than the whole is never shown
 * as 100 %.
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
    if (part > 0 && shown === 0n) return '< 0.1 %';
    if (part < whole && shown === 1_000n) return '> 99.9 %';
    return `${wholeText(Number(shown / 10n))}.${shown % 10n} %`;
  });
}
