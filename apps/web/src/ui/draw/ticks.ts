/** The smallest round step, 1, 2 or 5 times a power of ten, that divides a span into at most `count` steps. */
export function roundStep(span: number, count: number): number {
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power;
}

/** Round ticks of an axis, from zero up to `most`: whole numbers, with at most `count` ticks after zero. */
export function axisTicks(most: number, count: number): readonly number[] {
  if (!(most > 0)) return [0];
  const step = Math.max(1, roundStep(most, count));
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, at) => at * step);
}
