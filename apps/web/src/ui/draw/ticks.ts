/** The least round distance, 1, 2 or 5 times a power of ten, at which a span has at most `count` steps. */
export function roundStep(span: number, count: number): number {
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power;
}

/** Round ticks of an axis from zero, a whole number apart, at most `count` of them after it up to `most`. */
export function axisTicks(most: number, count: number): readonly number[] {
  if (!(most > 0)) return [0];
  const step = Math.max(1, roundStep(most, count));
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, at) => at * step);
}
