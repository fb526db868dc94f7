/** Maps a value to its position, px. */
export type Scale = (value: number) => number;

/** Returns the scale that maps `domain` linearly to `range`, px. */
export function linearScale(domain: readonly [number, number], range: readonly [number, number]): Scale {
  const [low, high] = domain;
  const [start, end] = range;
  const perValue = (end - start) / (high - low || 1);
  return (value) => start + (value - low) * perValue;
}

/** One level of a step line, in px. */
export interface Step {
  readonly from: number;
  readonly to: number;
  readonly level: number;
}

/** The path of a step line. The line breaks if a step does not start where the one before it ends. */
export function stepsPath(steps: readonly Step[]): string {
  return steps
    .map(({ from, to, level }, at) => `${steps[at - 1]?.to === from ? 'V' : `M${from} `}${level}H${to}`)
    .join('');
}
