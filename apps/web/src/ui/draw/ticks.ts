/** Steps of an axis from zero: 1, 2 or 5 times a power of ten, at most `count` of them up to `most`, never below one. */
export function axisTicks(most: number, count: number): readonly number[] {
  if (!(most > 0)) return [0];
  const rough = most / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power);
  const ticks: number[] = [];
  for (let at = 0; at * step <= most; at += 1) ticks.push(at * step);
  return ticks;
}
